import { expect, test } from 'vitest'
import { bundledDriver } from '../../../src/load/engines/driver/load-driver.ts'
import { refuseForAgents } from '../../../src/run/preflight/check-abilities.ts'
import { loadSpecText } from '../../../src/spec/load-spec.ts'

const find = { kind: 'findOne', filter: { _id: 1 } }

const load = (target: object, operation: object = find) =>
  loadSpecText(
    JSON.stringify({
      name: 'asked',
      target,
      data: { collection: 'c', rows: 10, document: { _id: { '@row': {} } } },
      phases: [
        { name: 'work', load: { kind: 'closed', workers: 1 }, stopAfter: { operations: 1 }, operations: [operation] },
      ],
    }),
    'asked.json',
    { functions: { own: async () => 1 } },
  )

const running = { kind: 'existing' }

test('a spec of operations on a running server is accepted', () => {
  expect(() => refuseForAgents(load(running), bundledDriver())).not.toThrow()
})

test('a spec that starts servers is refused by its name: agents elsewhere do not reach them', () => {
  expect(() => refuseForAgents(load({ kind: 'standalone' }), bundledDriver())).toThrow(
    'The spec "asked" starts servers',
  )
})

test('a phase that calls functions is refused by its name: agents run no code that they are sent', () => {
  const spec = load(running, { kind: 'function', function: 'own' })
  expect(() => refuseForAgents(spec, bundledDriver())).toThrow('The phase "work" calls functions')
})

test('another driver is refused: agents measure with their own', () => {
  expect(() => refuseForAgents(load(running), { ...bundledDriver(), isBundled: false })).toThrow(
    'and not with another one',
  )
})
