import { randomUUID } from 'node:crypto'
import { type Redis } from 'ioredis'
import { type z } from 'zod'
import { atMost } from '../../../core/clock.ts'
import { Problem } from '../../../core/errors.ts'
import { languageDigest, toolVersion } from '../../../core/versions.ts'
import { type UnitPart } from '../../../load/load-unit.ts'
import { processMs } from '../../../load/threads/thread-clock.ts'
import { redactQuote } from '../../../servers/targets/connection/redact.ts'
import { type RunEnvironment } from '../../run-environment.ts'
import {
  agentChannel,
  agentIds,
  announcementKey,
  beatsPerExpiry,
  claimKey,
  keptForSeconds,
  noticeKey,
  runChannel,
  watchTimes,
  type WatchTimes,
} from '../keys.ts'
import { machineId } from '../machine-id.ts'
import {
  agentNotice,
  agentRequest,
  agentSignal,
  type AgentAnswer,
  type AgentNotice,
  type Announcement,
  type pong,
} from '../messages.ts'
import { unpack } from '../pack.ts'
import { type RedisLink } from '../redis.ts'
import { packFailure } from './pack-failure.ts'
import { type RequestWorker } from './phase-worker.ts'
import { type Claim, createClaim, reasonToLeave } from './reason-to-leave.ts'
import { type Requests, workOnRequests } from './requests.ts'

/** A queue that is gone is not waited for longer. */
const closesWithinMs = 1000

/** Options of an agent. The signal ends it, and the load that it makes; secrets must not leave this machine. */
export type AgentOptions = Pick<RunEnvironment, 'clock' | 'signal' | 'secrets'> & {
  readonly redis: RedisLink
  readonly name: string
  readonly threads: number
  /** Makes what answers the requests of a run. */
  readonly createWorker: () => RequestWorker
  readonly log: (message: string) => void
  /** Default: `watchTimes`, which coordinators have too. */
  readonly times?: WatchTimes
}

type Assignment = {
  readonly run: string
  readonly requests: Requests
  readonly phases: RequestWorker
  /** Time when the claim runs out, unless the coordinator renews it. */
  untilMs: number
}

/** Waits for runs and makes the load that they ask for, until the signal aborts. */
export async function serveAgent({ times = watchTimes, ...options }: AgentOptions): Promise<void> {
  const { redis, clock, signal } = options
  const agent = new Agent({ ...options, times })
  const subscriber = await redis.another()
  subscriber.on('message', (_channel: string, text: string) => void agent.handleMessage(text))
  await subscriber.subscribe(agentChannel(agent.id))
  while (!signal.aborted) {
    void agent.beat()
    // Finds out whether the connection is alive: it only waits otherwise.
    void subscriber.ping().catch(() => undefined)
    await agent.watch()
    await clock.sleep(times.beatMs, signal)
  }
  await agent.stop()
}

class Agent {
  readonly id = randomUUID()
  readonly #options: Required<AgentOptions>
  readonly #client: Redis
  #engagement: Assignment | undefined
  #beating = false
  /** Whether something has changed since the beat that is under way has looked. */
  #again = false
  #beats = 0
  #leaving: Promise<void> | undefined
  #isStopped = false

  constructor(options: Required<AgentOptions>) {
    this.#options = options
    this.#client = options.redis.client
  }

  /** Announces itself, and looks for a claim and a notice. */
  async beat(): Promise<void> {
    this.#again = this.#beating
    if (this.#beating) return
    this.#beating = true
    try {
      await this.#lookAndFollow()
    } catch (error) {
      this.#options.log(`The queue does not answer as expected: ${this.#textOf(error)}`)
    } finally {
      this.#beating = false
    }
    if (this.#again) await this.beat()
  }

  async #lookAndFollow(): Promise<void> {
    const before = this.#engagement
    const { claim, notices } = await this.#look()
    await this.#follow(claim)
    if (this.#engagement?.run !== before?.run) await this.#announce()
    for (const notice of notices) this.#engagement?.phases.notice(notice)
    this.#beats += 1
    if (this.#beats % beatsPerExpiry === 0) await before?.requests.keep()
  }

  async #look(): Promise<{ readonly claim: Claim | undefined; readonly notices: readonly AgentNotice[] }> {
    const askedMs = this.#options.clock.now()
    const run = this.#engagement?.run ?? ''
    const replies = await this.#client
      .multi()
      .set(...this.#announcement())
      .sadd(agentIds, this.id)
      .expire(agentIds, keptForSeconds)
      .get(claimKey(this.id))
      .pttl(claimKey(this.id))
      .hvals(noticeKey(run, this.id))
      .exec()
    const [claim, leftMs, notices] = (replies ?? []).slice(3).map(([, reply]) => reply)
    return {
      claim: typeof claim === 'string' ? createClaim(claim, { askedMs, leftMs: Number(leftMs) }) : undefined,
      notices: (notices as readonly string[]).map((notice) => agentNotice.parse(JSON.parse(notice))),
    }
  }

  /** So that others know at once for which run it works. */
  async #announce(): Promise<void> {
    await this.#client.set(...this.#announcement())
  }

  /** Ends the load when coordinator or queue have been silent for too long. */
  async watch(): Promise<void> {
    const { clock, times } = this.#options
    const reason = this.#engagement && reasonToLeave(this.#engagement, 'no answer', { nowMs: clock.now(), times })
    if (reason !== undefined) await this.leave(reason)
  }

  /** Takes a message of the channel. What is none of ours is left alone. */
  async handleMessage(text: string): Promise<void> {
    try {
      const signal = agentSignal.parse(JSON.parse(text))
      if (signal.kind === 'look') return await this.beat()
      const answer: z.output<typeof pong> = {
        agent: this.id,
        number: signal.number,
        processMs: processMs(),
        wallMs: this.#options.clock.date().getTime(),
      }
      await this.#client.publish(runChannel(signal.run), JSON.stringify(answer))
    } catch (error) {
      this.#options.log(`A message was ignored: ${this.#textOf(error)}`)
    }
  }

  /** Ends what it does for a run, and takes the traces of the run out of the queue. */
  async leave(because: string): Promise<void> {
    return await (this.#leaving ??= this.#leave(because).finally(() => (this.#leaving = undefined)))
  }

  /** Takes itself off the list. A run that it works for learns of it by its last announcement. */
  async stop(): Promise<void> {
    this.#isStopped = true
    const announced = this.#engagement === undefined ? this.#client.del(announcementKey(this.id)) : this.#announce()
    const gone = Promise.allSettled([announced, this.#client.srem(agentIds, this.id)])
    await this.leave('it was stopped')
    await atMost(closesWithinMs, gone, this.#options.clock)
  }

  async #leave(because: string): Promise<void> {
    const assignment = this.#engagement
    if (assignment === undefined) return
    this.#engagement = undefined
    // The load first: whatever the queue does, nothing goes on being sent.
    await assignment.phases.leave(because)
    this.#options.log(`Left the run ${assignment.run}: ${because}`)
    const closed = assignment.requests
      .close()
      .catch((error: unknown) => this.#options.log(`The queue of the run could not be removed: ${this.#textOf(error)}`))
    await atMost(closesWithinMs, closed, this.#options.clock)
  }

  #announcement() {
    const { name, threads, times } = this.#options
    const announced: Announcement = {
      id: this.id,
      name,
      version: toolVersion(),
      language: languageDigest(),
      nodeMajor: Number(process.versions.node.split('.')[0]),
      threads,
      machine: machineId(),
      run: this.#engagement?.run ?? null,
      isStopped: this.#isStopped,
    }
    return [announcementKey(this.id), JSON.stringify(announced), 'PX', times.announcedForMs] as const
  }

  async #follow(claim: Claim | undefined): Promise<void> {
    const assignment = this.#engagement
    const nowMs = this.#options.clock.now()
    if (assignment !== undefined) {
      const reason = reasonToLeave(assignment, claim, { nowMs, times: this.#options.times })
      if (reason !== undefined) await this.leave(reason)
      else if (claim !== undefined) {
        assignment.untilMs = claim.untilMs
        assignment.phases.mayRunFor(claim.untilMs - nowMs)
      }
      // An answer may have waited here while this process stood still.
    } else if (claim !== undefined && nowMs < claim.untilMs) await this.#engage(claim)
  }

  async #engage({ run, untilMs }: Claim): Promise<void> {
    const { redis, name, createWorker, clock, log } = this.#options
    const phases = createWorker()
    phases.mayRunFor(untilMs - clock.now())
    let logged = ''
    const requests = await workOnRequests({
      redis,
      run,
      agent: this.id,
      name,
      answer: (data, onPart) => this.#answer(data, phases, onPart),
      // While Redis is gone, every attempt to reach it fails in the same way.
      onError: (error) => {
        const text = `The queue of the run: ${this.#textOf(error)}`
        if (text !== logged) log(text)
        logged = text
      },
    })
    this.#engagement = { run, requests, phases, untilMs }
    log(`Works for the run ${run}`)
  }

  async #answer(data: unknown, phases: RequestWorker, onPart: (part: UnitPart) => void): Promise<AgentAnswer> {
    try {
      const { request } = data as { readonly request: string }
      return await phases.answer(agentRequest.parse(unpack(Buffer.from(request, 'base64'))), onPart)
    } catch (error) {
      // What fails because the run was left is logged there.
      if (this.#engagement !== undefined) this.#options.log(`A request of the run failed: ${this.#textOf(error)}`)
      return { kind: 'failed', error: packFailure(error, this.#options) }
    }
  }

  #textOf(error: unknown): string {
    if (error instanceof Problem) return error.message
    return redactQuote(error instanceof Error ? error.message : String(error), this.#options.secrets)
  }
}
