import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createDeadlines, type Deadlines, type PendingCall } from '../../../src/load/engines/deadlines.ts'
import { type Outcome } from '../../../src/load/engines/engine.ts'
import { okOutcome } from '../../fakes/fake-calls.ts'

const deadlineMs = 1000
const never = new Promise<Outcome>(() => {})
let deadlines: Deadlines

beforeEach(() => {
  vi.useFakeTimers()
  deadlines = createDeadlines(deadlineMs)
})

afterEach(() => {
  deadlines.close()
  vi.useRealTimers()
})

/** Sends a call, and returns what became of it so far. */
function send(answer: Promise<Outcome>) {
  const sent: { pending?: PendingCall; outcome?: Outcome } = {}
  deadlines.bound(
    (pending) => {
      sent.pending = pending
      return answer
    },
    (outcome) => (sent.outcome = outcome),
  )
  return sent
}

test('a call that is answered has its own outcome', async () => {
  const sent = send(Promise.resolve(okOutcome()))
  await vi.advanceTimersByTimeAsync(5000)
  expect(sent).toMatchObject({ outcome: okOutcome(), pending: { abandoned: false } })
})

test('a call that is not answered is unknown at its deadline or a tenth of it later, not before', async () => {
  await vi.advanceTimersByTimeAsync(50)
  const sent = send(never)
  await vi.advanceTimersByTimeAsync(deadlineMs - 1)
  expect(sent.outcome).toBeUndefined()
  await vi.advanceTimersByTimeAsync(1 + deadlineMs / 10)
  expect(sent).toMatchObject({
    outcome: { kind: 'unknown', code: 'DeadlineExceeded', message: expect.toSay('call-deadline-over') },
    pending: { abandoned: true },
  })
})

test('each call has a deadline of its own', async () => {
  const early = send(never)
  await vi.advanceTimersByTimeAsync(600)
  const late = send(never)
  await vi.advanceTimersByTimeAsync(600)
  expect(early.outcome?.kind).toBe('unknown')
  expect(late.outcome).toBeUndefined()
  await vi.advanceTimersByTimeAsync(600)
  expect(late.outcome?.kind).toBe('unknown')
})

test('an answer after the deadline changes nothing', async () => {
  const answers: ((outcome: Outcome) => void)[] = []
  const sent = send(new Promise((resolve) => void answers.push(resolve)))
  await vi.advanceTimersByTimeAsync(3000)
  for (const answer of answers) answer(okOutcome())
  await vi.advanceTimersByTimeAsync(0)
  expect(sent.outcome).toMatchObject({ kind: 'unknown' })
})

test('closing leaves no call waiting and no timer running', async () => {
  const sent = send(never)
  deadlines.close()
  await vi.advanceTimersByTimeAsync(0)
  expect(sent.outcome).toMatchObject({ kind: 'unknown' })
  expect(vi.getTimerCount()).toBe(0)
})
