import { expect, test } from 'vitest'
import { placeKey, Stream } from '../../../src/core/random.ts'
import { chooseFrom } from '../../../src/run/data/choose-documents.ts'

async function* ids(count: number): AsyncGenerator<Uint8Array> {
  for (let i = 0; i < count; i++) yield Uint8Array.of(i >> 8, i & 255)
}

const choose = async (count: number, size: number, seed: number): Promise<readonly number[]> =>
  (await chooseFrom(ids(count), size, new Stream(placeKey(seed, 'sample')))).map(
    ([high = 0, low = 0]) => high * 256 + low,
  )

test('the same ids and the same seed give the same choice, another seed another one', async () => {
  expect(await choose(5000, 100, 1)).toEqual(await choose(5000, 100, 1))
  expect(await choose(5000, 100, 2)).not.toEqual(await choose(5000, 100, 1))
})

test('none is chosen twice, and a few are all chosen', async () => {
  expect(new Set(await choose(5000, 1000, 1)).size).toBe(1000)
  expect(await choose(3, 10, 1)).toEqual([0, 1, 2])
})

test('each is chosen equally often, wherever it stands', async () => {
  const times = Array.from({ length: 10 }, () => 0)
  for (let seed = 0; seed < 500; seed++)
    for (const id of await choose(1000, 20, seed)) times[Math.floor(id / 100)] = (times[Math.floor(id / 100)] ?? 0) + 1
  // 10,000 choices, 1000 for each tenth; five standard deviations are 150.
  for (const each of times) expect(Math.abs(each - 1000)).toBeLessThan(150)
})
