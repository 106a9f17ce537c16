import type { QueryPlan } from '../../../load/measure/query-plan.ts'
import { type Expectation, commandText, judgeCommands, plannedIn, whyNotKnown } from './judgement.ts'

/**
 * Every query and write of a call finds its documents by an index, and none reads a whole collection.
 * @param name Of the index. Default: any.
 */
export const indexUsed: Expectation<readonly [name?: string]> = (measurement, name) =>
  judgeCommands(measurement, (calls) => {
    const commands = plannedIn(calls)
    if (commands.length === 0) return { verdict: 'missed', because: 'sent no command that could use an index.' }
    const nothing = `read nothing, because the collection does not exist or nothing can match: ${commands.map(commandText).join('; ')}.`
    const reading = commands.filter(({ plan }) => !readsNothing(plan))
    if (reading.length === 0) return { verdict: 'missed', because: nothing }
    const unknown = reading.find(({ plan }) => plan.scansCollection === null)
    const without = reading.filter(
      ({ plan: { indexes, scansCollection } }) =>
        scansCollection === true ||
        (scansCollection === false && (indexes.length === 0 || (name !== undefined && !indexes.includes(name)))),
    )
    const expected = name === undefined ? 'an index' : `the index ${name}`
    if (without.length > 0)
      return { verdict: 'missed', because: `did not use ${expected}: ${without.map(commandText).join('; ')}.` }
    if (unknown === undefined)
      return { verdict: 'holds', because: `used ${expected}: ${reading.map(commandText).join('; ')}.` }
    return { verdict: 'missed', because: `may not have used ${expected}: ${whyNotKnown(unknown)}.` }
  })

/** A plan that ends where it begins: of a collection that does not exist, or a filter that nothing can match. It has no need of an index. */
const readsNothing = ({ text, indexes, scansCollection }: QueryPlan): boolean =>
  text.startsWith('EOF') && indexes.length === 0 && scansCollection === false
