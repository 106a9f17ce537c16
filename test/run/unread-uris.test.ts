import { expect, test } from 'vitest'
import { refuseUnread, variablesRead } from '../../src/run/preflight/unread-uris.ts'
import { loadSpecText } from '../../src/spec/load-spec.ts'

const reading = (...names: readonly string[]) =>
  loadSpecText(
    JSON.stringify({
      name: 'a',
      target: { kind: 'existing', uriFrom: { '@concat': ['MONGO_PERF_URI_', { '@param': 'server' }] } },
      variants: { server: names },
      phases: [{ name: 'p', stopAfter: { operations: 1 }, operations: [{ kind: 'insertOne' }] }],
      data: { collection: 'c', document: {} },
    }),
    'a.json',
  )

const own = loadSpecText(
  JSON.stringify({
    name: 'own',
    data: { collection: 'c', document: {} },
    phases: [{ name: 'p', stopAfter: { operations: 1 }, operations: [{ kind: 'insertOne' }] }],
  }),
  'own.json',
)

test('a URI is read when any row of any spec reads its variable', () => {
  const read = variablesRead([own, reading('FAST', 'SLOW')])
  expect(() => refuseUnread(['MONGO_PERF_URI_SLOW'], read)).not.toThrow()
})

test.each([
  {
    what: 'beside others lists the names that there are',
    read: variablesRead([reading('FAST', 'SLOW')]),
    hint: 'The names that targets read: fast, slow.',
  },
  {
    what: 'of a spec that starts its own servers comes with the way to replace them',
    read: variablesRead([own]),
    hint: 'No target of the spec reads a URI. A --uri without a name replaces the target: --uri mongodb://…',
  },
  {
    what: 'where one server stands for all is named too',
    read: new Set(['MONGO_PERF_URI']),
    hint: 'Only MONGO_PERF_URI is read here: give its URI without a name, as --uri mongodb://…',
  },
])('a name that no target reads, $what', ({ read, hint }) => {
  expect(() => refuseUnread(['MONGO_PERF_URI_SMALL'], read)).toThrow(
    expect.objectContaining({
      code: 'usage',
      message: 'No target reads --uri small=mongodb://…: other servers would be measured',
      hint,
    }),
  )
})
