import { describe, expect, test } from 'vitest'
import { createDelayLine } from '../../../../src/servers/targets/links/delay-line.ts'
import { fakeWaker } from '../../../fakes/fake-waker.ts'

/** A line whose receiver notes what arrives and when, and takes as much as it is told to. */
function aLine({ delays = [10], maxBytes = 100 }: { delays?: readonly number[]; maxBytes?: number } = {}) {
  const waker = fakeWaker()
  const arrived: string[] = []
  const receiver = { takes: true, rooms: 0 }
  let pieces = 0
  const line = createDelayLine({
    delayMs: () => delays[pieces++ % delays.length] ?? 0,
    waker,
    deliver(bytes) {
      arrived.push(`${waker.now()}: ${Buffer.from(bytes).toString()}`)
      return receiver.takes
    },
    deliverEnd: () => void arrived.push(`${waker.now()}: end`),
    onRoom: () => void receiver.rooms++,
    maxBytes,
  })
  return { line, waker, arrived, receiver, push: (text: string) => line.push(Buffer.from(text)) }
}

describe('a delay line', () => {
  test('hands on each piece after its delay, and the end after the last of them', () => {
    const { line, waker, arrived, push } = aLine()
    push('a')
    waker.advanceTo(4)
    push('b')
    waker.advanceTo(9)
    line.end()
    expect(arrived).toEqual([])
    waker.advanceTo(100)
    expect(arrived).toEqual(['10: a', '14: b', '19: end'])
  })

  test('keeps the order of bytes whose delays differ', () => {
    const { waker, arrived, push } = aLine({ delays: [30, 5, 10] })
    push('a')
    push('b')
    waker.advanceTo(25)
    push('c')
    waker.advanceTo(100)
    expect(arrived).toEqual(['30: a', '30: b', '35: c'])
  })

  test('without a delay hands on at once, and asks for no timer', () => {
    const { waker, arrived, push } = aLine({ delays: [0] })
    push('a')
    push('b')
    expect(arrived).toEqual(['0: a', '0: b'])
    expect(waker.waiting()).toBe(0)
  })

  test('gives a receiver that is full nothing more until it has drained', () => {
    const { line, waker, arrived, receiver, push } = aLine()
    receiver.takes = false
    push('a')
    push('b')
    waker.advanceTo(50)
    expect(arrived).toEqual(['10: a'])
    receiver.takes = true
    line.drained()
    expect(arrived).toEqual(['10: a', '50: b'])
  })

  test('tells its sender to stop when it holds too much, and once that there is room again', () => {
    const { waker, receiver, push } = aLine({ maxBytes: 10 })
    expect(push('12345')).toBe(true)
    expect(push('67890')).toBe(false)
    waker.advanceTo(5)
    // A sender that was in the middle of something may say it.
    expect(push('1')).toBe(false)
    expect(receiver.rooms).toBe(0)
    waker.advanceTo(50)
    expect(receiver.rooms).toBe(1)
    expect(push('2')).toBe(true)
  })

  test('holds everything while it is stalled, and loses nothing', () => {
    const { line, waker, arrived, push } = aLine()
    push('a')
    line.hold()
    push('b')
    line.end()
    waker.advanceTo(500)
    expect(arrived).toEqual([])
    expect(waker.waiting()).toBe(0)
    line.release()
    expect(arrived).toEqual(['500: a', '500: b', '500: end'])
  })

  test('released before a piece is due still keeps it until then', () => {
    const { line, waker, arrived, push } = aLine()
    push('a')
    line.hold()
    waker.advanceTo(3)
    line.release()
    waker.advanceTo(100)
    expect(arrived).toEqual(['10: a'])
  })

  test('that was discarded hands on nothing, and leaves no timer', () => {
    const { line, waker, arrived, push } = aLine()
    push('a')
    line.discard()
    push('b')
    line.drained()
    waker.advanceTo(100)
    expect(arrived).toEqual([])
    expect(waker.waiting()).toBe(0)
  })
})
