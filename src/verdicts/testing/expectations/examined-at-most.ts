import { readableNumber } from '../../../metrics/format.ts'
import { commandText, judgeCommands, type Planned, plannedIn } from './commands.ts'
import { type Expectation } from './judgement.ts'

/**
 * No query or write examines more documents for each that it returns or changes; one that finds nothing counts as finding one.
 * @param documentsPerResult At least 0; 0 for queries that an index answers alone.
 */
export const examinedAtMost: Expectation<readonly [documentsPerResult: number]> = (measurement, documentsPerResult) =>
  judgeCommands(measurement, (calls) => {
    const commands = plannedIn(calls).flatMap((command) => {
      const perResult = examinedPerResult(command)
      return perResult === null ? [] : [{ text: commandText(command), perResult }]
    })
    if (commands.length === 0)
      return { verdict: 'missed', because: 'sent no command of which it is known how many documents it examined.' }
    const most = Math.max(...commands.map(({ perResult }) => perResult))
    const worst = commands.find(({ perResult }) => perResult === most)
    const because = `examined ${readableNumber(most)} documents for each result (${worst?.text ?? ''}); expected are at most ${documentsPerResult}.`
    return { verdict: most <= documentsPerResult ? 'holds' : 'missed', because }
  })

function examinedPerResult({ plan: { figures } }: Planned): number | null {
  return typeof figures === 'string' ? null : figures.docsExamined / Math.max(1, figures.docsReturned)
}
