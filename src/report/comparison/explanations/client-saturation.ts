import { type PhaseResult } from '../../../results/schema.ts'
import { type Row } from '../../../metrics/rows.ts'
import { ratio } from '../../../metrics/statistics.ts'
import { type ExplanationRule, phasesOf } from './rule.ts'

/** Share of the runs by which the sides differ at least. */
const clearShare = 0.5

/** A client that was the bottleneck on one side alone. */
export const clientSaturation: ExplanationRule = (pair) =>
  phasesOf(pair).flatMap((name) => {
    const [a, b] = [saturationIn(pair.a, name), saturationIn(pair.b, name)]
    if (a.share === null || b.share === null || Math.abs(a.share - b.share) < clearShare) return []
    return [`${name}: the client was the bottleneck in ${a.text} runs of A and in ${b.text} of B`]
  })

function saturationIn({ runs }: Row, name: string): { readonly share: number | null; readonly text: string } {
  const phases: readonly PhaseResult[] = runs.flatMap((run) => run.phases.filter((phase) => phase.name === name))
  const saturated = phases.filter(({ client }) => client.saturated).length
  return { share: ratio(saturated, phases.length), text: `${saturated} of ${phases.length}` }
}
