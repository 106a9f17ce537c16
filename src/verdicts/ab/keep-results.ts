import { distinct } from '../../core/json.ts'
import { type PhaseResult, type Result, type VariantResult } from '../../results/schema.ts'
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
  /** Adds what both sides did in a round, in pairs of turns with these sides first. */
  readonly addTurns: (
    ran: Readonly<Record<SideName, Result>>,
    at: { readonly round: number; readonly first: readonly SideName[] },
  ) => Promise<void>
  /** Says how the number of rounds was found after all. */
  readonly decideRounds: (rounds: Pairing['rounds']) => void
  readonly end: (status: Result['status'], at: Date) => Promise<void>
}

/** Saves a result after every change. */
export type SaveResult = (side: SideName, result: Result) => Promise<void>

/** A pairing whose rounds are still to come. */
export type OpenPairing = Omit<Pairing, 'first'>

/** Begins without results. */
export function keepResults(given: Readonly<Record<SideName, OpenPairing>>, save: SaveResult): KeptResults {
  let pairings = given
  let results: Results = { a: null, b: null }
  let first: readonly SideName[] = []

  async function change(side: SideName, result: Result): Promise<void> {
    results = { ...results, [side]: result }
    await save(side, result)
  }

  const pairingOf = (side: SideName): Pairing => ({ ...pairings[side], first: [...first] })
  const changePairings = (part: Partial<OpenPairing>): void =>
    void (pairings = { a: { ...pairings.a, ...part }, b: { ...pairings.b, ...part } })

  return {
    results: () => results,
    async add(ran, at) {
      first = [...first.slice(0, at.round - 1), at.first]
      await change(at.side, addRuns(results[at.side], ran, [at.round], pairingOf(at.side)))
    },
    async addTurns(ran, at) {
      const runs = at.first.map((_, index) => first.length + index + 1)
      first = [...first, ...at.first]
      const { turns } = pairings.a
      if (turns !== undefined)
        changePairings({ turns: { ...turns, rounds: [...turns.rounds, ...runs.map(() => at.round)] } })
      for (const side of ['a', 'b'] as const)
        await change(side, addRuns(results[side], splitTurns(ran[side]), runs, pairingOf(side)))
    },
    decideRounds: (rounds) => changePairings({ rounds }),
    async end(status, at) {
      for (const side of ['a', 'b'] as const) {
        const result = results[side]
        if (result !== null)
          await change(side, { ...result, pairing: pairingOf(side), status, finishedAt: at.toISOString() })
      }
    },
  }
}

/**
 * Adds to the result of a side what it did in a round, or in its turns.
 * @param earlier Null in the first round.
 * @param runs Numbers of the runs that are added: all of a process that ran once have the same one.
 */
function addRuns(earlier: Result | null, ran: Result, runs: readonly number[], pairing: Pairing): Result {
  const base = earlier ?? { ...ran, variants: [], warnings: [] }
  const last = runs.at(-1) ?? 0
  // Start-up runs of a process are no rounds.
  const counted = ran.variants.filter(({ startUp }) => !startUp)
  const variants = counted.map((variant, index) => withRun(variant, runs[index] ?? last))
  return {
    ...base,
    pairing,
    spec: { ...base.spec, repeat: { times: last, startUpRuns: 0 } },
    status: 'running',
    finishedAt: null,
    variants: [...base.variants, ...variants],
    warnings: distinct([...base.warnings, ...ran.warnings]),
  }
}

const withRun = (variant: VariantResult, run: number): VariantResult => ({ ...variant, run })

/** A run whose phases have a result for each turn becomes one run for each. */
const splitTurns = (ran: Result): Result => ({ ...ran, variants: ran.variants.flatMap(splitVariant) })

function splitVariant(variant: VariantResult): readonly VariantResult[] {
  const names = [...new Set(variant.phases.map(({ name }) => name))]
  const ofPhases = names.map((name) => variant.phases.filter((phase) => phase.name === name))
  const count = Math.max(...ofPhases.map(({ length }) => length))
  return Array.from({ length: count }, (_, index) => ({
    ...variant,
    phases: ofPhases.flatMap((turns) => turns[index] ?? []).flatMap(asTurn),
  }))
}

/** A turn is short on purpose: all of them together are the window. */
const asTurn = (phase: PhaseResult): PhaseResult => ({
  ...phase,
  warnings: phase.warnings.filter(({ code }) => code !== 'short-window'),
})
