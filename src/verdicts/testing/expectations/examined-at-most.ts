import { readableNumber } from '../../../metrics/format.ts'
import { type Expectation, type Planned, commandText, judgeCommands, plannedIn, whyNotKnown } from './judgement.ts'

/**
 * No query or write examines more documents for each that it returns or changes; one that finds nothing counts as finding one.
 * @param documentsPerResult At least 0; 0 for queries that an index answers alone.
 */
export const examinedAtMost: Expectation<readonly [documentsPerResult: number]> = (measurement, documentsPerResult) =>
  judgeCommands(measurement, (calls) => {
    const commands = plannedIn(calls).map((command) => ({ command, perResult: examinedPerResult(command) }))
    const [worst] = commands.toSorted((one, other) => other.perResult - one.perResult)
    if (worst === undefined)
      return { verdict: 'missed', because: 'sent no command of which it is known how many documents it examined.' }
    const { command, perResult } = worst
    const expected = `expected at most ${documentsPerResult}.`
    if (perResult === Infinity)
      return {
        verdict: 'missed',
        because: `examined an unknown number of documents for each result: ${whyNotKnown(command)}; ${expected}`,
      }
    const because = `examined ${readableNumber(perResult)} documents for each result (${commandText(command)}); ${expected}`
    return { verdict: perResult <= documentsPerResult ? 'holds' : 'missed', because }
  })

/** Infinity: not known. */
function examinedPerResult({ plan: { figures } }: Planned): number {
  if (typeof figures === 'string' || figures.docsReturned === null) return Infinity
  return figures.docsExamined / Math.max(1, figures.docsReturned)
}
