import { Problem } from '../../../core/errors.ts'
import { languageDigest, toolVersion } from '../../../core/versions.ts'
import { type RunEnvironment } from '../../run-environment.ts'
import { agentChannel, announcementKey, claimKey, type WatchTimes } from '../keys.ts'
import { listAgents, type ListClient } from '../list-agents.ts'
import { announcement, type Announcement } from '../messages.ts'

/** The commands of Redis that claiming agents needs. */
export type ClaimClient = ListClient & {
  readonly get: (key: string) => Promise<string | null>
  readonly set: (key: string, value: string, unit: 'PX', ms: number, only: 'NX') => Promise<'OK' | null>
  readonly del: (keys: string[]) => Promise<number>
  readonly pexpire: (key: string, ms: number) => Promise<number>
  readonly publish: (channel: string, message: string) => Promise<number>
}

export type ClaimOptions = Pick<RunEnvironment, 'clock' | 'signal'> & {
  readonly client: ClaimClient
  readonly run: string
  readonly minAgents: number
  readonly times: WatchTimes
  readonly onWaiting: (alive: number) => void
}

/** How long a run waits for agents that are about to start, in milliseconds. */
const waitMs = 30_000
const lookMs = 250
/** An agent looks for claims once a second: one that has not followed its claim by then does not work. */
const followMs = 8000

/**
 * Claims all ready agents, as soon as there are enough of them.
 * @throws {Problem} "refused" for an agent of another version; "agents-unavailable" when there are too few.
 */
export async function claimAgents(options: ClaimOptions): Promise<readonly Announcement[]> {
  const { client, minAgents, clock, signal, onWaiting } = options
  const untilMs = clock.now() + waitMs
  for (let isFirst = true; ; isFirst = false) {
    const alive = await listAgents(client)
    const idle = alive.filter((agent) => agent.run === null)
    idle.forEach(refuseOthers)
    if (idle.length >= minAgents) {
      const claimed = await claim(idle, options)
      const following = await awaitFollowers(claimed, options)
      const isEnough = following.length >= minAgents
      await release(isEnough ? claimed.filter((agent) => !following.includes(agent)) : claimed, client)
      if (isEnough) return following
    }
    if (isFirst) onWaiting(idle.length)
    if (signal.aborted)
      throw new Problem('aborted', 'Stopped while waiting for agents', {
        hint: 'Start agents with `mongo-perf agent`, and run again.',
      })
    if (clock.now() > untilMs) throw tooFew(alive, idle.length, minAgents)
    await clock.sleep(lookMs, signal)
  }
}

async function claim(
  idle: readonly Announcement[],
  { client, run, times }: Pick<ClaimOptions, 'client' | 'run' | 'times'>,
): Promise<readonly Announcement[]> {
  const replies = await Promise.all(idle.map(({ id }) => client.set(claimKey(id), run, 'PX', times.claimedForMs, 'NX')))
  return idle.filter((_, i) => replies[i] === 'OK')
}

async function release(agents: readonly Announcement[], client: ClaimClient): Promise<void> {
  if (agents.length > 0) await client.del(agents.map(({ id }) => claimKey(id)))
}

/** Waits until the agents have followed their claims, so that their queues are open. One may have ended a moment ago. */
async function awaitFollowers(
  agents: readonly Announcement[],
  { client, run, times, clock, signal }: ClaimOptions,
): Promise<readonly Announcement[]> {
  const untilMs = clock.now() + followMs
  for (;;) {
    for (const { id } of agents) await client.publish(agentChannel(id), JSON.stringify({ kind: 'look' }))
    await clock.sleep(lookMs, signal)
    const runs = await Promise.all(agents.map(async ({ id }) => readRun(await client.get(announcementKey(id)))))
    const isSettled = runs.every((one) => one === run || one === undefined)
    if (isSettled || signal.aborted || clock.now() > untilMs) return agents.filter((_, i) => runs[i] === run)
    for (const { id } of agents) await client.pexpire(claimKey(id), times.claimedForMs)
  }
}

/** The run that an agent works for. Undefined: it is gone. */
const readRun = (text: string | null): string | null | undefined =>
  text === null ? undefined : announcement.parse(JSON.parse(text)).run

/**
 * Results of different versions are not of the same thing.
 * @throws {Problem} "refused", with the name of the agent.
 */
export function refuseOthers({ name, version, language, nodeMajor }: Announcement): void {
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

const tooFew = (alive: readonly Announcement[], idle: number, wanted: number): Problem =>
  new Problem(
    'agents-unavailable',
    `${idle} of ${wanted} agents ready${alive.length > idle ? `; ${alive.length - idle} busy with another run` : ''}`,
    { hint: 'Start more with `mongo-perf agent --queue …`; `mongo-perf agents --queue …` lists the running ones.' },
  )
