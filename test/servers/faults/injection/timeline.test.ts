import { expect, test } from 'vitest'
import { maxOutageMs, generateTimeline } from '../../../../src/servers/faults/injection/timeline.ts'
import { aFault } from '../a-fault.ts'

const around = { seed: 42, phase: 'write', lastSecond: 60 }

const plannedOf = (parts: object, changes: object = {}) => [
  ...generateTimeline(aFault({ ...parts }), { ...around, ...changes }),
]
const timesOf = (parts: object, changes: object = {}) =>
  plannedOf(parts, changes).map(({ atSeconds, undoAtSeconds }) => [atSeconds, undoAtSeconds])

test('a fault happens once, and is undone after its time', () =>
  expect(timesOf({ atSeconds: 10, forSeconds: 15 })).toEqual([[10, 25]]))

test('a fault that repeats does so until the phase stops, or as often as it says', () => {
  const repeated = { atSeconds: 10, forSeconds: 5, everySeconds: 20 }
  expect(timesOf(repeated)).toEqual([
    [10, 15],
    [30, 35],
    [50, 55],
  ])
  expect(timesOf({ ...repeated, times: 2 })).toHaveLength(2)
  expect(timesOf({ ...repeated, times: 2 }, { lastSecond: Infinity })).toHaveLength(2)
})

test('no fault begins when the phase stops, or lasts longer', () => {
  expect(timesOf({ atSeconds: 60, forSeconds: 5 })).toEqual([])
  expect(timesOf({ atSeconds: 58, forSeconds: 5 })).toEqual([[58, 60]])
  expect(timesOf({ atSeconds: 10 })).toEqual([[10, 60]])
  expect(timesOf({ atSeconds: 10 }, { lastSecond: Infinity })).toEqual([[10, Infinity]])
})

test('a fault without an effect that stays has nothing to undo', () =>
  expect(timesOf({ kind: 'stepDown', atSeconds: 10 })).toEqual([[10, null]]))

const soak = {
  kind: 'random',
  everySeconds: 10,
  forSeconds: { min: 2, max: 6 },
  of: [{ kind: 'kill' }, { kind: 'pause', target: 'any' }, { kind: 'stepDown' }],
}

test('a random fault draws what happens and for how long, the same for the same seed', () => {
  const planned = plannedOf(soak, { lastSecond: 1000 })
  expect(planned).toHaveLength(100)
  expect(new Set(planned.map(({ spec }) => spec.kind))).toEqual(new Set(['kill', 'pause', 'stepDown']))
  const lasted = planned.flatMap(({ spec, atSeconds, undoAtSeconds }) =>
    spec.kind === 'stepDown' ? [] : [(undoAtSeconds ?? 0) - atSeconds],
  )
  expect(Math.min(...lasted)).toBeGreaterThanOrEqual(2)
  expect(Math.max(...lasted)).toBeLessThanOrEqual(6)
  const shown = (seed: number) =>
    plannedOf(soak, { lastSecond: 1000, seed }).map(({ spec, undoAtSeconds, choose }) => [
      spec.kind,
      undoAtSeconds,
      choose(1000),
    ])
  expect(shown(42)).toEqual(shown(42))
  expect(shown(42)).not.toEqual(shown(43))
})

test('a fault draws whom it meets anew each time', () => {
  const planned = plannedOf({ everySeconds: 1, forSeconds: 0.5 })
  expect(new Set(planned.map(({ choose }) => choose(3)))).toEqual(new Set([0, 1, 2]))
})

test.each([
  ['nothing', [], 0],
  ['what it lasts', [{ forSeconds: 15 }], 15_000],
  ['the sum of what follows upon each other', [{ forSeconds: 15 }, { kind: 'pause', forSeconds: 5 }], 20_000],
  ['its longest, of a random one', [soak], 6_000],
  ['nothing, of one that has nothing to undo', [{ kind: 'stepDown' }], 0],
  ['the whole phase, of one without an end', [{}], Infinity],
])('the longest outage is %s', (_what, specs, ms) => expect(maxOutageMs(specs.map(aFault))).toBe(ms))
