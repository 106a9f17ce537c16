import { commandText, judgeCommands, plannedIn } from './commands.ts'
import { type Expectation } from './judgement.ts'

/**
 * Every query and write of a call finds its documents by an index, and none reads a whole collection.
 * @param name Of the index. Default: any.
 */
export const indexUsed: Expectation<readonly [name?: string]> = (measurement, name) =>
  judgeCommands(measurement, (calls) => {
    const commands = plannedIn(calls)
    if (commands.length === 0) return { verdict: 'missed', because: 'sent no command that could use an index.' }
    const without = commands.filter(
      ({ plan: { indexes, scansCollection } }) =>
        scansCollection || indexes.length === 0 || (name !== undefined && !indexes.includes(name)),
    )
    const expected = name === undefined ? 'an index' : `the index ${name}`
    if (without.length === 0)
      return { verdict: 'holds', because: `used ${expected}: ${commands.map(commandText).join('; ')}.` }
    return { verdict: 'missed', because: `did not use ${expected}: ${without.map(commandText).join('; ')}.` }
  })
