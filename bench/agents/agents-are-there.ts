import { systemClock } from '../../src/core/clock.ts'
import { listAgents } from '../../src/run/agents/list-agents.ts'
import { connectRedis } from '../../src/run/agents/redis.ts'

/** Processes that start together take long on a busy machine. */
const withinMs = 180_000

/** Resolves when so many agents have announced themselves. */
export async function agentsAreThere(url: string, count: number): Promise<void> {
  await using link = await connectRedis(url)
  const untilMs = systemClock.now() + withinMs
  while ((await listAgents(link.client)).length < count) {
    if (systemClock.now() > untilMs) throw new Error(`${count} agents have not started within ${withinMs / 1000} s`)
    await systemClock.sleep(250)
  }
}
