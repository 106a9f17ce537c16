import { expect, test } from 'vitest'
import { noPart } from '../../src/load/measure/phase-part.ts'
import { type PartOf } from '../../src/load/part-sink.ts'
import { openSinks, type Sink } from '../../src/run/own-sinks.ts'
import { fakePhase } from '../fakes/fake-calls.ts'

const part = noPart(fakePhase())
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

const nextTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))

test('every sink takes every part, with the place of its row', async () => {
  const taken: unknown[] = []
  const keep: Sink = (...given) => taken.push(given)
  const sinks = openSinks([keep, keep], at)
  sinks.take(part, of)
  await sinks.settled()
  expect(taken).toEqual([
    [part, { ...of, at }],
    [part, { ...of, at }],
  ])
})

test('what a sink promises is waited for', async () => {
  let isDone = false
  const slowly: Sink = async () => {
    await nextTurn()
    isDone = true
  }
  const sinks = openSinks([slowly], at)
  sinks.take(part, of)
  expect(isDone).toBe(false)
  await sinks.settled()
  expect(isDone).toBe(true)
})

const toMonitoring: Sink = () => {
  throw new Error('no connection')
}

test('a sink that throws ends the run with a problem that names it', () => {
  const named = { code: 'usage', message: 'The sink "toMonitoring" failed: no connection' }
  expect(() => openSinks([toMonitoring], at).take(part, of)).toThrow(expect.objectContaining(named))
  const unnamed: readonly Sink[] = [() => {}, () => toMonitoring(part, { ...of, at })]
  expect(() => openSinks(unnamed, at).take(part, of)).toThrow('The sink number 2 failed: no connection')
})

const failing: Sink = () => Promise.reject(new Error('no connection'))

test('a promise that is rejected ends the run with its next part, or at the end of the phase', async () => {
  const sinks = openSinks([failing], at)
  sinks.take(part, of)
  await nextTurn()
  expect(() => sinks.take(part, of)).toThrow('The sink "failing" failed: no connection')
  await expect(sinks.settled()).rejects.toThrow('The sink "failing" failed: no connection')
})
