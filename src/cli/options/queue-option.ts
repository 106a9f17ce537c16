import { Problem } from '../../core/errors.ts'
import { wholeNumber } from './arguments.ts'
import { option } from './option.ts'

/** A URL on a command line is seen by all who can list processes. */
const variable = 'MONGO_PERF_QUEUE'

/** The option that names the Redis or Valkey server at which agents and runs meet. */
export const queueOption = option(
  '--queue <url>',
  'Redis or Valkey: redis://host:6379, or rediss://<user>:<password>@host for TLS',
  { env: variable },
)

/** The options that have agents make the load. */
export const agentsOptions = [
  option('--agents <url>', 'have the agents at this Redis or Valkey make the load; see `mongo-perf agent`'),
  option(
    '--min-agents <n>',
    'agents that have to be there before the run begins (default: 1); it waits for them up to 30 s. Without --agents, they are at MONGO_PERF_QUEUE',
    wholeNumber(),
  ),
]

/** @throws {Problem} "usage" when neither the option nor the variable names a queue. */
export function requireQueue({ queue }: { readonly queue?: string }): string {
  if (queue !== undefined) return queue
  throw new Problem('usage', 'No queue is given, through which agents and runs find each other', {
    hint: `Name a Redis or Valkey: --queue redis://host:6379, or the variable ${variable}.`,
  })
}

/**
 * Finds the queue of the agents of a run. Undefined: it has none. The variable alone asks for none, so that it may be set on all machines.
 * @throws {Problem} "usage" when a number of agents is given, and no queue.
 */
export function queueOfRun(
  { agents, minAgents }: { readonly agents?: string; readonly minAgents?: number },
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  if (agents !== undefined || minAgents === undefined) return agents
  const queue = env[variable]
  if (queue !== undefined) return queue
  throw new Problem('usage', '--min-agents needs a queue, through which agents and runs find each other', {
    hint: `Name a Redis or Valkey: --agents redis://host:6379, or the variable ${variable}.`,
  })
}
