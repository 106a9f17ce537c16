import { expect, test } from 'vitest'
import { bundledDriver } from '../../../src/load/engines/driver/load-driver.ts'
import { refuseForAgents } from '../../../src/run/preflight/check-abilities.ts'
import { loadSpecText } from '../../../src/spec/load-spec.ts'

const find = { kind: 'findOne', filter: { _id: 1 } }

function load(target: object, operation: object = find) {
  const data = { collection: 'c', rows: 10, document: { _id: { '@row': {} } } }
  const closed = { kind: 'closed', workers: 1 }
  const phases = [{ name: 'work', load: closed, stopAfter: { operations: 1 }, operations: [operation] }]
  const spec = JSON.stringify({ name: 'asked', target, data, phases })
  return loadSpecText(spec, 'asked.json', { functions: { own: async () => 1 } })
}

const running = { kind: 'existing' }
const bundled = bundledDriver()

test('a spec of operations on a running server is accepted', () => {
  expect(() => refuseForAgents(load(running), bundled)).not.toThrow()
})

test.each([
  // Agents elsewhere do not reach them.
  ['servers that it starts', 'agents-no-started-servers', { spec: 'asked' }, load({ kind: 'standalone' }), bundled],
  // Agents run no code that they are sent.
  [
    'functions',
    'agents-no-functions',
    { phase: 'work' },
    load(running, { kind: 'function', function: 'own' }),
    bundled,
  ],
  // Agents measure with their own.
  ['another driver', 'agents-no-other-driver', {}, load(running), { ...bundled, isBundled: false }],
])('a run with %s is refused', (_what, code, data, spec, driver) => {
  expect(() => refuseForAgents(spec, driver)).toSay(code, data)
})
