import { systemClock } from '../../core/clock.ts'
import { type AgentSession } from '../../run/agents/coordinator/session.ts'
import { type CliContext } from '../cli-context.ts'
import { type RunFlags } from '../commands/run.ts'

/** Joins the agents that make the load. */
export async function agentsAt(
  queue: string,
  { minAgents = 1, quiet }: Pick<RunFlags, 'minAgents' | 'quiet'>,
  cli: CliContext,
): Promise<AgentSession> {
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
  report(
    `load from ${session.names.length === 1 ? '1 agent' : `${session.names.length} agents`}: ${session.names.join(', ')}\n`,
  )
  return session
}
