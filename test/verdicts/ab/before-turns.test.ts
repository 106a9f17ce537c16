import { expect, test } from 'vitest'
import { prepareTurns } from '../../../src/verdicts/ab/before-turns.ts'
import { type RunSide, type SideRun } from '../../../src/verdicts/ab/run-side.ts'

const run = { turnsOf: 'b' } as SideRun
const given = [0.5, 0.5, undefined]

/** A side that takes turns until there are none, and is stopped by its signal. */
const takeTurns =
  (events: string[]): RunSide =>
  async (_, { waitForTurn, signal }) => {
    for (let seconds = await waitForTurn?.(); seconds !== undefined; seconds = await waitForTurn?.())
      events.push(`sends for ${seconds} s`)
    events.push(signal.aborted ? 'stopped' : 'done')
    return {} as Awaited<ReturnType<RunSide>>
  }

function control() {
  const turns = [...given]
  return { signal: new AbortController().signal, onEvent: () => {}, waitForTurn: async () => turns.shift() }
}

const fails = () => Promise.reject(new Error('no collMod'))

test('the server is prepared before each turn of a side, and not after the last', async () => {
  const events: string[] = []
  const prepare = async (side: string) => void events.push(`for ${side}`)
  await prepareTurns(takeTurns(events), prepare)(run, control())
  expect(events).toEqual(['for b', 'sends for 0.5 s', 'for b', 'sends for 0.5 s', 'done'])
})

test('a server that cannot be prepared ends the side, which then sends nothing', async () => {
  const events: string[] = []
  await expect(prepareTurns(takeTurns(events), fails)(run, control())).rejects.toThrow('no collMod')
  expect(events).toEqual(['stopped'])
})

test('a side that takes no turns runs as it is', async () => {
  const events: string[] = []
  const { waitForTurn: _, ...alone } = control()
  await prepareTurns(takeTurns(events), fails)(run, alone)
  expect(events).toEqual(['done'])
})
