import { Command, InvalidArgumentError } from 'commander'
import { maxNameLength, maxThreads } from '../../run/agents/limits.ts'
import { type CliContext } from '../cli-context.ts'
import { wholeNumber } from '../options/arguments.ts'
import { addOptions, collect, type Flags, option } from '../options/option.ts'
import { queueOption, requireQueue } from '../options/queue-option.ts'
import { dataPermissions } from '../options/spec-options.ts'

const options = [
  queueOption,
  option('--name <name>', 'its name in results. Default: the name of this machine', agentName),
  option('--threads <n>', 'threads that make load. Default: one for each core', wholeNumber(maxThreads)),
  option('--uri <uri>', 'the server to put under load; or name=uri for a named target (repeatable)', collect),
  option('--allow-remote', 'allow servers on other machines'),
  ...dataPermissions,
]

export type AgentFlags = Flags<typeof options>

export function agentCommand(cli: CliContext): Command {
  const command = new Command('agent').description(
    'Make load on this machine for `run --agents` and `replay --agents`, with the URI that this machine has',
  )
  return addOptions(command, options).action(async (flags: AgentFlags) => {
    const { runAgent } = await import('../actions/agent.ts')
    await runAgent({ ...flags, queue: requireQueue(flags) }, cli)
  })
}

/** Parses the name of an agent: something that can be seen, and nothing that cannot. */
function agentName(text: string): string {
  if (text.trim() !== '' && text.length <= maxNameLength && !/\p{C}/u.test(text)) return text
  throw new InvalidArgumentError(`It must have 1 to ${maxNameLength} printable characters.`)
}
