import { expect, test } from 'vitest'
import { type Phase, type SpecInput } from '../../../src/spec/spec-input.ts'
import { prepareSide, type SideOptions } from '../../../src/verdicts/ab/sides.ts'
import { whyRounds } from '../../../src/verdicts/ab/why-rounds.ts'
import { common, spec } from './fake-sides.ts'

const phase: Phase = {
  name: 'read',
  load: { kind: 'closed', workers: { '@param': 'workers' } },
  stopAfter: { operations: 20 },
  operations: [{ kind: 'findOne', filter: { _id: 5 } }],
}
const timed: Phase = { ...phase, stopAfter: { seconds: 5 } }

async function reason(b: SideOptions, of: Partial<SpecInput> = {}, overrides: object = {}) {
  const sides = [{}, b].map((options) =>
    prepareSide({ ...spec, phases: [timed], ...of }, options, { ...common, overrides }),
  )
  return whyRounds(await Promise.all(sides))
}

test.each<[string, SideOptions]>([
  ['a parameter', { set: { workers: 8 } }],
  ['the engine', { engine: 'wire' }],
  ['the server of a URI', { uriFrom: 'MONGO_PERF_URI_NEW' }],
  ['the spec', { spec: { ...spec, phases: [timed], name: 'others' } }],
])('two sides that differ in %s stand beside each other', async (_what, b) => expect(await reason(b)).toBeUndefined())

const b = { set: { workers: 8 } }
const standalone = (server: object): Partial<SpecInput> => ({ target: { kind: 'standalone', server } })
const withPhase = (part: Partial<Phase>): Partial<SpecInput> => ({ phases: [{ ...timed, ...part }] })
const endless = (load: Phase['load']): Partial<SpecInput> => withPhase({ load, stopAfter: undefined })

test.each<[string, SideOptions, Partial<SpecInput>, object?]>([
  ['whole-rounds-other-mongod', { mongod: '/opt/mongod' }, {}],
  ['whole-rounds-other-cache', b, standalone({ cacheGB: { '@param': 'workers' } })],
  ['whole-rounds-other-phases', { spec: { ...spec, phases: [{ ...timed, name: 'other' }] } }, {}],
  ['whole-rounds-limits', b, standalone({ limits: { cpus: 1 } })],
  ['whole-rounds-rows', b, { variants: [{ label: 'one' }, { label: 'two' }] }],
  ['whole-rounds-start-up-runs', b, { repeat: { times: 3, startUpRuns: 1 } }],
  ['whole-rounds-thresholds', b, { thresholds: [{ holds: 'errors == 0', abort: true }] }],
  ['whole-rounds-faults', b, { ...withPhase({ faults: [{ kind: 'pause', atSeconds: 1, forSeconds: 1 }] }) }],
  ['whole-rounds-number-of-calls', b, { phases: [phase] }],
  ['whole-rounds-peak', b, endless({ kind: 'findPeak', from: 1, to: { '@param': 'workers' }, secondsPerStep: 1 })],
  [
    'whole-rounds-stages',
    b,
    endless({ kind: 'open', stages: [{ seconds: 5, ratePerSecond: { '@param': 'workers' } }] }),
  ],
  [
    'whole-rounds-loads',
    b,
    withPhase({
      load: undefined,
      operations: undefined,
      loads: [{ name: 'one', load: timed.load, operations: [{ kind: 'findOne', filter: { _id: 5 } }] }],
    }),
  ],
  ['whole-rounds-unacknowledged', b, withPhase({ writeConcern: { w: 0 } })],
])('rounds of whole runs are left: %s', async (code, ofB, of, overrides = {}) => {
  const without = JSON.parse(JSON.stringify(of)) as Partial<SpecInput>
  expect(await reason(ofB, without, overrides)).toSay(code)
})
