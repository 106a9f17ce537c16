import { Command, InvalidArgumentError } from 'commander'
import { maxNameLength, maxThreads } from '../../run/agents/limits.ts'
import { type CliContext } from '../cli-context.ts'
import { wholeNumber } from '../options/arguments.ts'
import { queueOption, requireQueue } from '../options/queue-option.ts'
import { collect, withDataPermissions } from '../options/spec-options.ts'

/** The options of the command, as parsed. */
export type AgentFlags = {
  readonly queue?: string
  readonly name?: string
  readonly threads?: number
  readonly uri?: readonly string[]
  readonly allowRemote?: boolean
  readonly allow?: readonly string[]
  readonly allowWrites?: readonly string[]
}

/** The command `agent`. */
export function agentCommand(cli: CliContext): Command {
  const command = new Command('agent')
    .description(
      'Make load on this machine for `run --agents` and `replay --agents`, with the URI that this machine has',
    )
    .addOption(queueOption())
    .option('--name <name>', 'its name in results. Default: the name of this machine', agentName)
    .option('--threads <n>', 'threads that make load. Default: one for each core', wholeNumber(maxThreads))
    .option('--uri <uri>', 'the server to put under load; or name=uri for a named target (repeatable)', collect)
    .option('--allow-remote', 'allow servers on other machines')
  return withDataPermissions(command).action(async (flags: AgentFlags) => {
    const { runAgent } = await import('../actions/agent.ts')
    await runAgent({ ...flags, queue: requireQueue(flags) }, cli)
  })
}

/** Parses the name of an agent: something that can be seen, and nothing that cannot. */
function agentName(text: string): string {
  if (text.trim() !== '' && text.length <= maxNameLength && !/\p{C}/u.test(text)) return text
  throw new InvalidArgumentError(`It must have 1 to ${maxNameLength} printable characters.`)
}
