import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sharedServer } from '../../../contract/support/shared-servers.ts'
import { bulks } from './bulks.ts'
import { type Bench, byHand, bySpec, type Observation, openBench } from './observe.ts'
import { reads } from './reads.ts'
import { type Truth } from './truth.ts'
import { writes } from './writes.ts'

const truths: Readonly<Record<string, Truth>> = { ...reads, ...writes, ...bulks }

const server = sharedServer()
let bench: Bench
/** By kind and option. */
let bySpecs: ReadonlyMap<string, ReadonlyMap<string, Observation>>

beforeAll(async () => {
  bench = await openBench(server.uri)
  // All at once: a run takes a second for every phase, and most of that it waits.
  const runs = Object.entries(truths).map(async ([kind, truth]) => [kind, await bySpec(bench, kind, truth)] as const)
  bySpecs = new Map(await Promise.all(runs))
}, 300_000)

afterAll(async () => {
  await bench[Symbol.asyncDispose]()
})

describe.each(Object.entries(truths))('%s', (kind, truth) => {
  const seen = (option: string) => bySpecs.get(kind)?.get(option)

  test('does through a spec what it does by hand', async () => {
    expect(seen('')).toEqual(await byHand(bench, kind, truth, '', false))
    expect(seen('')?.outcome).not.toHaveProperty('failed')
  })

  const options = Object.keys(truth.options)
  test.runIf(options.length > 0).each(options)('%s does through a spec what it does by hand', async (option) => {
    const hand = await byHand(bench, kind, truth, option, false)
    expect(seen(option)).toEqual(hand)
    // Else this would pass also if the option were lost on its way.
    expect(await byHand(bench, kind, truth, option, true)).not.toEqual(hand)
  })
})
