import { formatQuantity } from '../../../core/quantities.ts'
import { type Expectation, judgeCommands } from './judgement.ts'

/**
 * No call sends more commands: one more for each document that it has found is an N+1 query.
 * @param most At least 0. What the driver sends by itself does not count.
 */
export const commandsAtMost: Expectation<readonly [most: number]> = (measurement, most) =>
  judgeCommands(measurement, (calls) => {
    const largest = calls.toSorted((one, other) => other.commands.length - one.commands.length)[0]
    const commands = largest?.commands ?? []
    const because = `sent ${formatQuantity(commands.length, 'command')} in a call (${summarizeCommands(commands.map(({ name, collection }) => (collection === null ? name : `${name} on ${collection}`)))}); expected at most ${most}.`
    return { verdict: commands.length <= most ? 'holds' : 'missed', because }
  })

/** Each once, with how often it came. */
function summarizeCommands(names: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts].map(([name, count]) => (count === 1 ? name : `${count} × ${name}`)).join(', ') || 'none'
}
