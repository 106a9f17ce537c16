import { availableParallelism, hostname } from 'node:os'
import { systemClock } from '../../core/clock.ts'
import { formatQuantity } from '../../core/quantities.ts'
import { serveAgent } from '../../run/agents/agent/agent.ts'
import { PhaseWorker } from '../../run/agents/agent/phase-worker.ts'
import { queueWarnings } from '../../run/agents/queue-warnings.ts'
import { redisSecrets } from '../../run/agents/redis-secrets.ts'
import { connectRedis } from '../../run/agents/redis.ts'
import { redact, findSecrets } from '../../servers/targets/connection/redact.ts'
import { checkReplay } from '../../traffic/replay/replay-for-agents.ts'
import { type CliContext } from '../cli-context.ts'
import { type AgentFlags } from '../commands/agent.ts'
import { parseAllowed } from '../options/spec-options.ts'
import { readUris } from '../options/uris.ts'

/** Runs an agent until a signal ends it. */
export async function runAgent(flags: AgentFlags & { readonly queue: string }, cli: CliContext): Promise<void> {
  const { queue, name = hostname(), threads = availableParallelism(), uri, allowRemote = false } = flags
  const { allow = [], allowWrites = [] } = flags
  const uris = readUris(uri, cli.env)
  const secrets = [...uris.all.flatMap(findSecrets), ...redisSecrets(queue)]
  const { stop } = cli
  const permissions = { uri: uris.get, givenAs: uris.givenAs, allowRemote, allow: allow.map(parseAllowed), allowWrites }
  await using redis = await connectRedis(queue)
  const log = (message: string): void => cli.printStatus(`${redact(message, secrets)}\n`)
  for (const warning of await queueWarnings(redis.client)) log(`warning: ${warning}`)
  log(`agent ${name}: waits for runs at ${queue}, with ${formatQuantity(threads, 'thread')}`)
  await serveAgent({
    redis,
    name,
    threads,
    createWorker: () => new PhaseWorker(permissions, systemClock, (replay) => checkReplay(replay, systemClock)),
    secrets,
    clock: systemClock,
    signal: stop,
    log,
  })
}
