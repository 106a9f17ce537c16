import { expect, test } from 'vitest'
import { type JsonObject } from '../../../src/core/json.ts'
import { shortenPhases } from '../../../src/spec/plan/shorten-phases.ts'
import { aPhase, load } from '../../fakes/a-spec.ts'

function shorten(given: JsonObject) {
  const { rows } = shortenPhases(load({ target: { kind: 'replicaSet', members: 3 }, phases: [aPhase(given)] }))
  return rows[0]?.spec.phases[0]
}

const seconds = (long: number): JsonObject => ({ stopAfter: { seconds: long } })

test.each<[string, JsonObject, object]>([
  ['a long one', { ...seconds(60), warmup: { seconds: 5 } }, { stopAfter: { seconds: 2 }, warmup: { seconds: 0.5 } }],
  ['a short one', seconds(1), { stopAfter: { seconds: 1 } }],
  ['one of many calls', { stopAfter: { operations: 1e6 } }, { stopAfter: { operations: 1e6, seconds: 2 } }],
  [
    'one that ends when it is precise',
    { stopAfter: { precisionPercent: 1, seconds: 60 } },
    { stopAfter: { seconds: 2 } },
  ],
  [
    'stages, by their shares',
    {
      stopAfter: null,
      load: {
        kind: 'open',
        stages: [
          { seconds: 10, ratePerSecond: 5 },
          { seconds: 30, ratePerSecond: 9 },
        ],
      },
    },
    { load: { stages: [{ seconds: 0.5 }, { seconds: 1.5 }] } },
  ],
  [
    'a search, by its steps',
    { stopAfter: null, load: { kind: 'findPeak', to: 8 } },
    { load: { secondsPerStep: 0.5, to: 8 } },
  ],
  ['none that sets up', { ...seconds(60), measured: false }, { stopAfter: { seconds: 60 } }],
  [
    'none with faults',
    { ...seconds(60), faults: [{ kind: 'stepDown', atSeconds: 30 }] },
    { stopAfter: { seconds: 60 } },
  ],
])('phases are shortened: %s', (_, given, expected) => {
  expect(shorten(given)).toMatchObject(expected)
})
