import { expect, test } from 'vitest'
import { noPart } from '../../src/load/measure/phase-part.ts'
import { type PartOf } from '../../src/load/part-sink.ts'
import {
  createRunEvents,
  listenForParts,
  listenForProgress,
  type RunEvent,
  type RunEvents,
} from '../../src/run/run-events.ts'
import { type Sink } from '../../src/run/run-events.ts'
import { fakePhase } from '../fakes/fake-calls.ts'
import { fakeResult } from '../fakes/fake-result.ts'
import { sampleAt } from '../servers/resources/samples.ts'
import { partAt } from './live/parts.ts'

const at = { label: 'first', number: 1, of: 2 }
const of: PartOf = partAt(1000)
const part: Extract<RunEvent, { kind: 'part' }> = { kind: 'part', part: noPart(fakePhase()), of: { ...of, at } }

const openSinks = (sinks: readonly Sink[]): RunEvents => createRunEvents([listenForParts(sinks)])

const nextTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))

test('every sink takes every part, with the place of its row', async () => {
  const taken: unknown[] = []
  const keep: Sink = (...given) => taken.push(given)
  const sinks = openSinks([keep, keep])
  sinks.emit(part)
  await sinks.settled()
  const each = [part.part, part.of]
  expect(taken).toEqual([each, each])
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
  const reason = 'no connection'
  expect(() => openSinks([toMonitoring]).emit(part)).toSay('sink-failed', { which: '"toMonitoring"', reason })
  const unnamed: readonly Sink[] = [() => {}, () => toMonitoring(part.part, part.of)]
  expect(() => openSinks(unnamed).emit(part)).toSay('sink-failed', { which: 'number 2', reason })
})

const failing: Sink = () => Promise.reject(new Error('no connection'))

test('a promise that is rejected ends the run with its next part, or at the end of the phase', async () => {
  const sinks = openSinks([failing])
  sinks.emit(part)
  await nextTurn()
  const failure = { which: '"failing"', reason: 'no connection' }
  expect(() => sinks.emit(part)).toSay('sink-failed', failure)
  await expect(sinks.settled()).rejects.toSay('sink-failed', failure)
})

test('what fails at a part comes neither between a fault and its end, nor between a failure and its result', async () => {
  const { emit } = openSinks([failing])
  emit(part)
  await nextTurn()
  const result = fakeResult()
  expect(() => emit({ kind: 'settle', at })).not.toThrow()
  expect(() => emit({ kind: 'result', result })).not.toThrow()
})

test('who listens for progress gets no parts, samples and results', () => {
  const kinds: string[] = []
  const { emit } = createRunEvents([listenForProgress(({ kind }) => kinds.push(kind))])
  emit({ kind: 'settle', at })
  emit(part)
  emit({ kind: 'sample', member: 'member0', sample: sampleAt(0, {}) })
  emit({ kind: 'result', result: fakeResult() })
  expect(kinds).toEqual(['settle'])
})
