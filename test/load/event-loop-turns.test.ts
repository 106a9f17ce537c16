import { expect, test } from 'vitest'
import { createTurns } from '../../src/load/loops/closed-loop.ts'

const tick = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve))
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('answers in microtasks alone have to wait for a turn after a millisecond', async () => {
  const turnDue = createTurns()
  expect(turnDue(0)).toBeUndefined()
  await Promise.resolve()
  expect(turnDue(0.9)).toBeUndefined()
  expect(turnDue(1.1)).toBeInstanceOf(Promise)
})

test('answers in ticks have to wait for a turn too, though later', async () => {
  const turnDue = createTurns()
  for (let nowMs = 0; nowMs < 25; nowMs += 1) {
    expect(turnDue(nowMs)).toBeUndefined()
    await tick()
  }
  expect(turnDue(25)).toBeInstanceOf(Promise)
})

test('answers that come with the turns of the event loop never wait, however long they take', async () => {
  const turnDue = createTurns()
  for (let nowMs = 0; nowMs < 10_000; nowMs += 100) {
    expect(turnDue(nowMs)).toBeUndefined()
    await turn()
  }
})

test('all workers wait for the same turn, and go on after it', async () => {
  const turnDue = createTurns()
  turnDue(0)
  const first = turnDue(5)
  expect(turnDue(6)).toBe(first)
  await first
  expect(turnDue(7)).toBeUndefined()
})
