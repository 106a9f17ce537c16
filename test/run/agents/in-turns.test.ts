import { expect, test } from 'vitest'
import { inTurns } from '../../../src/run/agents/coordinator/agent-clocks.ts'

test('no more actions than that are under way at once, and all of them run in their order, whatever becomes of others', async () => {
  const inTurn = inTurns(2)
  const began: number[] = []
  const ends: (() => void)[] = []
  const all = [0, 1, 2, 3].map((number) =>
    inTurn(async () => {
      began.push(number)
      await new Promise<void>((resolve) => ends.push(resolve))
      if (number === 0) throw new Error('broken')
      return number
    }),
  )
  const settled = Promise.allSettled(all)
  const seen: number[][] = []
  for (let i = 0; i < all.length; i++) {
    await new Promise(setImmediate)
    seen.push([...began])
    ends[i]?.()
  }
  expect(seen.map((numbers) => numbers.join(' '))).toEqual(['0 1', '0 1 2', '0 1 2 3', '0 1 2 3'])
  expect((await settled).map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled', 'fulfilled'])
})
