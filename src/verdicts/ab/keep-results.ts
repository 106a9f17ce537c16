import { type Result } from '../../results/schema.ts'
import { type Pairing, type SideName } from '../../results/schema/pairing.ts'

/** The results of both sides so far. Null: the side has not run yet. */
export type Results = Readonly<Record<SideName, Result | null>>

/** The results of both sides while rounds are added; each change is saved. */
export type KeptResults = {
  readonly results: () => Results
  readonly add: (
    ran: Result,
    at: { readonly side: SideName; readonly round: number; readonly first: SideName },
  ) => Promise<void>
  readonly end: (status: Result['status'], at: Date) => Promise<void>
}

/** Saves a result after every change. */
export type SaveResult = (side: SideName, result: Result) => Promise<void>

/** A pairing whose rounds are still to come. */
export type OpenPairing = Omit<Pairing, 'first'>

/** Begins without results. */
export function keepResults(pairings: Readonly<Record<SideName, OpenPairing>>, save: SaveResult): KeptResults {
  let results: Results = { a: null, b: null }
  let first: readonly SideName[] = []

  async function change(side: SideName, result: Result): Promise<void> {
    results = { ...results, [side]: result }
    await save(side, result)
  }

  return {
    results: () => results,
    async add(ran, at) {
      first = [...first.slice(0, at.round - 1), at.first]
      await change(at.side, addRound(results[at.side], ran, at.round, { ...pairings[at.side], first: [...first] }))
    },
    async end(status, at) {
      for (const side of ['a', 'b'] as const) {
        const result = results[side]
        const pairing = { ...pairings[side], first: [...first] }
        if (result !== null) await change(side, { ...result, pairing, status, finishedAt: at.toISOString() })
      }
    },
  }
}

/**
 * Adds to the result of a side what it did in a round: run *n* is round *n*.
 * @param earlier Null in the first round.
 */
function addRound(earlier: Result | null, ran: Result, round: number, pairing: Pairing): Result {
  const base = earlier ?? { ...ran, variants: [], warnings: [] }
  // Start-up runs of a process are no rounds.
  const variants = ran.variants.flatMap((variant) => (variant.startUp ? [] : { ...variant, run: round }))
  return {
    ...base,
    pairing,
    spec: { ...base.spec, repeat: { times: round, startUpRuns: 0 } },
    status: 'running',
    finishedAt: null,
    variants: [...base.variants, ...variants],
    warnings: distinct([...base.warnings, ...ran.warnings]),
  }
}

const distinct = (warnings: Result['warnings']): Result['warnings'] => [
  ...new Map(warnings.map((warning) => [JSON.stringify(warning), warning])).values(),
]
