import { expect, test } from 'vitest'
import { type LiveEvent } from '../../../src/run/live/live-events.ts'
import { createLiveState } from '../../../src/run/live/live-state.ts'
import { type Position } from '../../../src/run/run-events.ts'
import { fail } from '../../fakes/fail.ts'
import { fakeClock } from '../../fakes/fake-clock.ts'
import { storedResult } from '../../fakes/stored-results.ts'
import { sampleAt } from '../../servers/resources/samples.ts'
import { partAt, recorder } from './parts.ts'

const at: Position = { label: 'first', number: 1, of: 2 }

function watched(secrets: readonly string[] = []) {
  const events: LiveEvent[] = []
  const clock = fakeClock()
  const listeners = [(event: LiveEvent) => void events.push(event)]
  const state = createLiveState({ spec: 'shop', resumed: false, clock, secrets, listeners })
  return { events, state, clock }
}

test('a run is the events of its rows, passes and seconds, in order', () => {
  const { events, state } = watched()
  const variant = storedResult('aborted-two-phases').variants[0] ?? fail('no row')
  const warmup = recorder()
  state.listen({ kind: 'target', target: 'standalone', at })
  warmup.ends(400, 1)
  state.listen({ kind: 'part', part: warmup.take(), of: { ...partAt(500, { pass: 'warm-up', isLast: true }), at } })
  const measured = recorder()
  measured.ends(100, 1)
  state.listen({ kind: 'part', part: measured.take(), of: { ...partAt(1000, { startMs: 1 }), at } })
  measured.ends(1100, 1, 'failed')
  state.listen({ kind: 'part', part: measured.take(), of: { ...partAt(1500, { startMs: 1, isLast: true }), at } })
  state.listen({ kind: 'row', at, variant })
  state.listen({ kind: 'settle', at: { ...at, number: 2 } })
  state.end('aborted')
  const warmedUp = ['phaseBegins', 'second', 'phaseEnds']
  const phases = [...warmedUp, 'phaseBegins', 'second', 'second', 'phaseEnds']
  const kinds = events.map(({ kind }) => kind)
  expect(kinds).toEqual(['specBegins', 'rowBegins', ...phases, 'row', 'rowBegins', 'specEnds'])
  expect(events[0]).toMatchObject({ version: 1, spec: 'shop', resumed: false })
  expect(events[2]).toMatchObject({ row: at, phase: 'read', pass: 'warm-up', load: 'closed', workers: 4 })
  expect(events[8]).toMatchObject({ pass: 'measured', seconds: 1.499, ok: 1, failed: 1, unknown: 0 })
  expect(events[9]).toMatchObject({ row: at, status: variant.status })
  expect(events.at(-1)).toMatchObject({ status: 'aborted' })
})

test('loads beside each other have seconds of their own', () => {
  const { events, state } = watched()
  const loads = ['readers', 'job'].map((phase) => ({ phase, made: recorder() }))
  for (const { phase, made } of loads) {
    made.ends(100, 1)
    state.listen({ kind: 'part', part: made.take(), of: { ...partAt(1000, { phase }), at } })
  }
  for (const { phase, made } of loads)
    state.listen({ kind: 'part', part: made.take(), of: { ...partAt(1500, { phase, isLast: true }), at } })
  const named = (kind: LiveEvent['kind']) =>
    events.flatMap((event) => (event.kind === kind && 'phase' in event ? event.phase : []))
  expect(named('phaseBegins')).toEqual(['readers', 'job'])
  expect(named('second')).toEqual(['readers', 'job', 'readers', 'job'])
  expect(events.flatMap((event) => (event.kind === 'phaseEnds' ? event.ok : []))).toEqual([1, 1])
})

test('a phase has begun when its load did, not when its first part came', () => {
  const { events, state, clock } = watched()
  clock.advance(9000)
  state.listen({ kind: 'part', part: recorder().take(), of: { ...partAt(9000, { startMs: 8000 }), at } })
  const begins = events.find(({ kind }) => kind === 'phaseBegins') ?? fail('no phase begun')
  expect(new Date(begins.time)).toEqual(new Date(clock.date().getTime() - 1000))
})

test('a second has the newest sample of each server', () => {
  const { events, state } = watched()
  state.listen({ kind: 'settle', at })
  const samples = [sampleAt(0, { processCpuUs: 0 }), sampleAt(1000, { processCpuUs: 1_200_000, cacheBytes: 7 })]
  for (const sample of samples) state.listen({ kind: 'sample', member: 'member0', sample })
  state.listen({ kind: 'part', part: recorder().take(), of: { ...partAt(1000), at } })
  expect(events.at(-1)).toMatchObject({ kind: 'second', servers: [{ cpuPercent: 120, cacheBytes: 7 }] })
})

test('a fault is an event with the name and kind that it has in the spec', () => {
  const { events, state } = watched()
  const news = { phase: 'write', name: 'outage', kind: 'kill', servers: ['member0'], atSeconds: 3, error: null }
  state.listen({ kind: 'fault', at, news: { ...news, what: 'done' } })
  const { kind: faultKind, ...others } = news
  expect(events.at(-1)).toMatchObject({ ...others, kind: 'fault', faultKind, what: 'done', row: at })
})

test('what is kept of an earlier run begins no row', () => {
  const { events, state } = watched()
  state.listen({ kind: 'skipped', at })
  expect(events).toHaveLength(1)
})

test('no event has a secret, or the credentials of a URI', () => {
  const { events, state } = watched(['hunter2-secret!'])
  const label = 'mongodb://app:pass@host/ hunter2-secret!'
  state.listen({ kind: 'settle', at: { ...at, label } })
  expect(events.at(-1)).toMatchObject({ row: { label: 'mongodb://***@host/ ***' } })
})

test('what a listener promises is promised to the run', async () => {
  let written = false
  const write = ({ kind }: LiveEvent) =>
    kind === 'second' ? Promise.resolve().then(() => void (written = true)) : undefined
  const run = { spec: 'shop', resumed: false, clock: fakeClock(), secrets: [] }
  const state = createLiveState({ ...run, listeners: [write] })
  await state.listen({ kind: 'part', part: recorder().take(), of: { ...partAt(1000), at } })
  expect(written).toBe(true)
})
