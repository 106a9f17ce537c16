import { expect, test } from 'vitest'
import { createStallWatch, type Look } from '../../../../src/core/threads/guard/stall-watch.ts'

const MB = 2 ** 20

/** How many looks there were when it was given up, and why. Null: it was not, in an hour. */
function lookUntilGivenUp(lookAt: (second: number) => Look): { looks: number; reason: string } | null {
  const watch = createStallWatch()
  for (let looks = 1; looks <= 3600; looks++) {
    const reason = watch(lookAt(looks))
    if (reason !== undefined) return { looks, reason }
  }
  return null
}

test('an event loop that turns is left alone, however much memory is taken, and one that turns once in a minute', () => {
  expect(lookUntilGivenUp((second) => ({ beats: second, rssBytes: second * 500 * MB }))).toBeNull()
  expect(lookUntilGivenUp((second) => ({ beats: Math.floor(second / 60), rssBytes: 100 * MB }))).toBeNull()
})

test('one that stands still is given up after two minutes', () =>
  expect(lookUntilGivenUp((second) => ({ beats: Math.min(second, 30), rssBytes: 100 * MB }))).toEqual({
    looks: 150,
    reason: expect.toSay('event-loop-stood-still', { seconds: 120 }),
  }))

test('one that stands still and takes a gigabyte more is given up much sooner', () =>
  expect(
    lookUntilGivenUp((second) => ({
      beats: Math.min(second, 30),
      rssBytes: (100 + Math.max(0, second - 30) * 150) * MB,
    })),
  ).toEqual({
    looks: 40,
    reason: expect.toSay('event-loop-stood-still-and-grown', { seconds: 10, grownMB: 1500 }),
  }))

test('memory that was taken while it turned does not count', () =>
  expect(
    lookUntilGivenUp((second) => ({ beats: Math.min(second, 30), rssBytes: Math.min(second, 30) * 300 * MB }))?.looks,
  ).toBe(150))
