import { expect, test } from 'vitest'
import { refuseUnread, variablesRead } from '../../src/run/preflight/unread-uris.ts'
import { loadSpecText } from '../../src/spec/load-spec.ts'

function specWith(fields: object) {
  const phases = [{ name: 'p', stopAfter: { operations: 1 }, operations: [{ kind: 'insertOne' }] }]
  return loadSpecText(
    JSON.stringify({ name: 'a', data: { collection: 'c', document: {} }, phases, ...fields }),
    'a.json',
  )
}

const uriFrom = { '@concat': ['MONGO_PERF_URI_', { '@param': 'server' }] }
const reading = (...names: readonly string[]) =>
  specWith({ target: { kind: 'existing', uriFrom }, variants: { server: names } })
const own = specWith({})

test('a URI is read when any row of any spec reads its variable', () => {
  const read = variablesRead([own, reading('FAST', 'SLOW')])
  expect(() => refuseUnread(['MONGO_PERF_URI_SLOW'], read)).not.toThrow()
})

test.each([
  ['beside others lists the names that there are', variablesRead([reading('FAST', 'SLOW')]), 'uri-unread'],
  ['of a spec that starts its own servers comes with another way', variablesRead([own]), 'uri-unread-by-own'],
  ['where one server stands for all is named too', new Set(['MONGO_PERF_URI']), 'uri-unread-by-one'],
])('a name that no target reads, %s', (_what, read, code) => {
  expect(() => refuseUnread(['MONGO_PERF_URI_SMALL'], read)).toSay(code, { name: 'small' })
})
