import { type Logger } from 'pino'
import { systemClock } from '../../core/clock.ts'
import { formatQuantity } from '../../core/quantities.ts'
import { type AgentSession } from '../../run/agents/coordinator/session.ts'
import { redisSecrets } from '../../run/agents/redis-secrets.ts'
import { findSecrets } from '../../servers/targets/connection/redact.ts'
import { type CliContext } from '../cli-context.ts'
import { type RunFlags } from '../commands/run.ts'
import { type Uris } from '../options/uris.ts'
import { createContextFromFlags } from '../start-context.ts'
import { createLogger } from '../terminal/logger.ts'

/** A log without secrets, and how servers are started, to be disposed after the last of them. */
type OpenRun = {
  readonly secrets: readonly string[]
  readonly log: Logger
  readonly start: ReturnType<typeof createContextFromFlags>
}

/** Opens what all specs of a run share. @param queue Where its agents are. Undefined: it has none. */
export function openRun(flags: RunFlags, uris: Uris, queue: string | undefined, cli: CliContext): OpenRun {
  const secrets = [...uris.all.flatMap(findSecrets), ...(queue === undefined ? [] : redisSecrets(queue))]
  const log = createLogger({ level: flags.logLevel, json: flags.logJson === true, secrets }, cli)
  return { secrets, log, start: createContextFromFlags(flags, uris, cli, (message) => log.info(message)) }
}

/** Joins the agents that make the load. Undefined: there is no queue, so this process does. */
export async function agentsAt(
  queue: string | undefined,
  { minAgents = 1, quiet }: Pick<RunFlags, 'minAgents' | 'quiet'>,
  cli: CliContext,
): Promise<AgentSession | undefined> {
  if (queue === undefined) return undefined
  const { joinAgents } = await import('../../run/agents/coordinator/join-agents.ts')
  const report = (text: string): void => {
    if (!quiet) cli.printStatus(text)
  }
  const session = await joinAgents({
    queue,
    minAgents,
    clock: systemClock,
    signal: cli.stop,
    onWaiting: (there) => report(`waiting for agents: ${there} of ${minAgents} ready\n`),
    onWarning: (message) => cli.printStatus(`warning: ${message}\n`),
  })
  report(`load from ${formatQuantity(session.names.length, 'agent')}: ${session.names.join(', ')}\n`)
  return session
}
