import { type Result } from '../../results/schema.ts'
import { type Pairing } from '../../results/schema/pairing.ts'

/**
 * Adds to the result of a side what it did in a round: run *n* is round *n*.
 * @param earlier Null in the first round.
 */
export function addRound(earlier: Result | null, ran: Result, round: number, pairing: Pairing): Result {
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
