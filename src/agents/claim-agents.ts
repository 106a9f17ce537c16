import type { Redis } from 'ioredis'
import { type Clock } from '../clock.ts'
import { Problem } from '../errors.ts'
import { languageDigest, toolVersion } from '../versions.ts'
import { agentChannel, announcementKey, claimedForMs, claimKey } from './keys.ts'
import { listAgents } from './list-agents.ts'
import { announcement, type Announcement } from './messages.ts'

/** What claiming agents needs. */
export type ClaimOptions = {
  readonly client: Redis
  readonly run: string
  readonly minAgents: number
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly onWaiting: (there: number) => void
}

/** How long a run waits for agents that are about to start, in milliseconds. */
const waitMs = 30_000
const lookMs = 250

/**
 * Claims all agents that are there and idle, as soon as there are enough of them.
 * @throws {Problem} "refused" for an agent of another version; "agents-unavailable" when there are too few.
 */
export async function claimAgents(options: ClaimOptions): Promise<readonly Announcement[]> {
  const { client, run, minAgents, clock, signal, onWaiting } = options
  const untilMs = clock.now() + waitMs
  for (let isFirst = true; ; isFirst = false) {
    const there = await listAgents(client)
    const idle = there.filter((agent) => agent.run === null)
    idle.forEach(refuseOthers)
    if (idle.length >= minAgents) {
      const claimed = await claim(idle, options)
      if (claimed.length >= minAgents) {
        await engaged(claimed, options, untilMs)
        return claimed
      }
      await client.del(claimed.map(({ id }) => claimKey(id)))
    }
    if (isFirst) onWaiting(idle.length)
    if (signal.aborted) throw new Problem('aborted', 'Stopped while waiting for agents', { hint: 'Run again.' })
    if (clock.now() > untilMs) throw tooFew(there, idle.length, minAgents)
    await clock.sleep(lookMs, signal)
  }

  async function claim(idle: readonly Announcement[], { client: to }: ClaimOptions): Promise<readonly Announcement[]> {
    const replies = await Promise.all(idle.map(({ id }) => to.set(claimKey(id), run, 'PX', claimedForMs, 'NX')))
    return idle.filter((_, i) => replies[i] === 'OK')
  }
}

/** Waits until the agents have followed the claim: their queues are open then. */
async function engaged(agents: readonly Announcement[], options: ClaimOptions, untilMs: number): Promise<void> {
  const { client, run, clock, signal } = options
  for (;;) {
    for (const { id } of agents) await client.publish(agentChannel(id), JSON.stringify({ kind: 'look' }))
    const texts = await client.mget(agents.map(({ id }) => announcementKey(id)))
    const first = agents.find((_, i) => texts[i] == null || announcement.parse(JSON.parse(texts[i])).run !== run)
    if (first === undefined) return
    if (signal.aborted || clock.now() > untilMs)
      throw new Problem('agents-unavailable', `The agent ${first.name} does not follow the claim of this run`, {
        hint: 'Look at its output, and start it again.',
      })
    for (const { id } of agents) await client.pexpire(claimKey(id), claimedForMs)
    await clock.sleep(lookMs, signal)
  }
}

/** Results of different versions are not of the same thing. */
function refuseOthers({ name, version, language, nodeMajor }: Announcement): void {
  const nodeHere = Number(process.versions.node.split('.')[0])
  const differs =
    version !== toolVersion()
      ? `runs mongo-perf ${version}, and this is ${toolVersion()}`
      : nodeMajor !== nodeHere
        ? `runs on Node ${nodeMajor}, and this is Node ${nodeHere}`
        : language !== languageDigest()
          ? 'reads another language of specs'
          : undefined
  if (differs === undefined) return
  throw new Problem('refused', `The agent ${name} ${differs}`, {
    hint: 'Install the same version of mongo-perf and of Node on all machines, or stop that agent.',
  })
}

const tooFew = (there: readonly Announcement[], idle: number, wanted: number): Problem =>
  new Problem(
    'agents-unavailable',
    `${idle} of ${wanted} agents ${idle === 1 ? 'is' : 'are'} there and idle${there.length > idle ? `; ${there.length - idle} work for another run` : ''}`,
    { hint: 'Start more with `mongo-perf agent --queue …`; `mongo-perf agents --queue …` lists those that are there.' },
  )
