import { type Measurement } from '../measurement.ts'
import { type PlannedCommand, type SentByCall } from '../sent.ts'
import { type Judgement } from './judgement.ts'

/** Judges an expectation about what calls sent. Where that was not seen, the expectation is missed: it may not pass unseen. */
export function judgeCommands({ sent }: Measurement, judge: (calls: readonly SentByCall[]) => Judgement): Judgement {
  if (sent.kind === 'seen') return judge(sent.calls)
  return { verdict: 'missed', because: `sent commands that were not seen, because ${sent.reason}. ${sent.hint}` }
}

/** A command for a message, such as "find on orders: COLLSCAN". */
export const commandText = ({ name, collection, plan }: PlannedCommand): string =>
  `${collection === null ? name : `${name} on ${collection}`}${plan === null ? '' : `: ${plan.text}`}`

export type Planned = PlannedCommand & { readonly plan: NonNullable<PlannedCommand['plan']> }

/** A command with the reason why its plan, or what it examines, is not known. */
export function whyNotKnown(command: Planned): string {
  const { figures } = command.plan
  return `${commandText(command)} (${typeof figures === 'string' ? figures : 'how many documents it returns is not known'})`
}

/** The commands of calls that have a plan, each once. */
export function plannedIn(calls: readonly SentByCall[]): readonly Planned[] {
  const all = calls.flatMap(({ commands }) => commands.filter((command): command is Planned => command.plan !== null))
  return [...new Map(all.map((command) => [commandText(command), command])).values()]
}
