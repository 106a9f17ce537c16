import { expect, test } from 'vitest'
import { noPart } from '../../src/load/measure/phase-part.ts'
import { type PartOf } from '../../src/load/part-sink.ts'
import {
  createRunEvents,
  listenForParts,
  listenForProgress,
  type RunEvent,
  type RunEvents,
  type Sink,
} from '../../src/run/run-events.ts'
import { fakePhase } from '../fakes/fake-calls.ts'
import { fakeResult } from '../fakes/fake-result.ts'

const at = { label: 'first', number: 1, of: 2 }
const of: PartOf = {
  phase: 'read',
  operations: ['findOne'],
  pass: 'measured',
  load: 'closed',
  workers: 1,
  inFlight: 1,
  windowStartMs: 0,
  stopAfter: { seconds: 1 },
  startMs: 0,
  nowMs: 1000,
  completeBefore: 1,
  isLast: false,
}

const part: Extract<RunEvent, { kind: 'part' }> = { kind: 'part', part: noPart(fakePhase()), of: { ...of, at } }

const openSinks = (sinks: readonly Sink[]): RunEvents => createRunEvents([listenForParts(sinks)])

const nextTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))

test('every sink takes every part, with the place of its row', async () => {
  const taken: unknown[] = []
  const keep: Sink = (...given) => taken.push(given)
  const sinks = openSinks([keep, keep])
  sinks.emit(part)
  await sinks.settled()
  expect(taken).toEqual([
    [part.part, part.of],
    [part.part, part.of],
  ])
})

test('what a sink promises is waited for', async () => {
  let isDone = false
  const slowly: Sink = async () => {
    await nextTurn()
    isDone = true
  }
  const sinks = openSinks([slowly])
  sinks.emit(part)
  expect(isDone).toBe(false)
  await sinks.settled()
  expect(isDone).toBe(true)
})

const toMonitoring: Sink = () => {
  throw new Error('no connection')
}

test('a sink that throws ends the run with a problem that names it', () => {
  const named = { code: 'usage', message: 'The sink "toMonitoring" failed: no connection' }
  expect(() => openSinks([toMonitoring]).emit(part)).toThrow(expect.objectContaining(named))
  const unnamed: readonly Sink[] = [() => {}, () => toMonitoring(part.part, part.of)]
  expect(() => openSinks(unnamed).emit(part)).toThrow('The sink number 2 failed: no connection')
})

const failing: Sink = () => Promise.reject(new Error('no connection'))

test('a promise that is rejected ends the run with its next part, or at the end of the phase', async () => {
  const sinks = openSinks([failing])
  sinks.emit(part)
  await nextTurn()
  expect(() => sinks.emit(part)).toThrow('The sink "failing" failed: no connection')
  await expect(sinks.settled()).rejects.toThrow('The sink "failing" failed: no connection')
})

test('what fails at a part comes neither between a fault and its end, nor between a failure and its result', async () => {
  const { emit } = openSinks([failing])
  emit(part)
  await nextTurn()
  const result = fakeResult()
  for (const event of [
    { kind: 'settle', at },
    { kind: 'result', result },
  ] as const)
    expect(() => emit(event)).not.toThrow()
})

const sample = {
  source: 'serverStatus' as const,
  atMs: 0,
  role: 'standalone' as const,
  pid: 1,
  uptimeMs: 1,
  values: {},
  setName: null,
  appliedMs: new Map(),
}

test('who listens for progress gets no parts, samples and results', () => {
  const kinds: string[] = []
  const { emit } = createRunEvents([listenForProgress(({ kind }) => kinds.push(kind))])
  emit({ kind: 'settle', at })
  emit(part)
  emit({ kind: 'sample', member: 'member0', sample })
  emit({ kind: 'result', result: fakeResult() })
  expect(kinds).toEqual(['settle'])
})
