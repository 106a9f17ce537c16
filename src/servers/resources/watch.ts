import { type Clock } from '../../core/clock.ts'
import { lookPeriod } from '../targets/server/process/mongod-process.ts'
import { type Ask, explain, isRefusal } from './member-connection.ts'
import { type Observation, type Poll } from './member-resources.ts'
import { countOwnTraffic } from './own-traffic.ts'
import { type Fields, type OnSample, type Role, type Sample, type SourceName } from './sample.ts'
import { diagnosticData, serverStatus, type Source } from './sources.ts'

/** A window needs samples of up to this time before its start. */
const keptBeforeMs = 5000
/** How long to wait until the server has looked at itself, and how often to ask. */
const timeoutMs = 2000
/** A server of ours looks at itself often, so that no window waits for it, and inside of a window as seldom as any other. */
const lookEveryMs = { outside: 100, inside: 1000 } as const
/** Figures of the host, which a server counts from look to look, say nothing of a window that is a smaller part of that time. */
const minPart = 0.1

/** Samples one member. It never throws: a command without a reply is a failed poll. */
export type Watch = {
  /** Finds out which sources the member supports. A server that has just started needs a moment before it has data. */
  readonly start: () => Promise<void>
  /** Leaves the member as it was. */
  readonly stop: () => Promise<void>
  /** Takes a sample, unless the last one is still being taken. */
  readonly poll: () => Promise<void>
  /** Does everything slow before a window, so that all members can begin together. */
  readonly prepareWindow: () => Promise<WatchWindow>
}

/** A window of one member. */
export type WatchWindow = {
  /** Reads the start of the window. */
  readonly begin: () => Promise<void>
  /** Reads the end of the window. */
  readonly end: () => Promise<void>
  /** Waits, after the window, for the next update of the server's statistics, and returns all samples. */
  readonly observe: (durationMs: number) => Promise<Observation>
}

export type WatchedMember = {
  readonly member: string
  /** Its role in a cluster, if no member of a shard. Default: as it reports. */
  readonly role?: Role | undefined
  /** Whether to say how often it looks at itself. Default: no. */
  readonly setsLooks?: boolean | undefined
  readonly ask: Ask
  readonly clock: Clock
  readonly onSample?: OnSample | undefined
}

export function watchMember(watched: WatchedMember): Watch {
  const { member, setsLooks = false, clock } = watched
  const reader = createReader(watched)
  let polling: Promise<void> | null = null
  /** Between two looks of the member at itself, as far as that is known. */
  let lookMs: number = lookEveryMs.inside

  async function takeSample(): Promise<void> {
    if ((await reader.read(diagnosticData)) === 'silent') await reader.read(serverStatus)
  }

  async function readEdge(): Promise<number | null> {
    await polling
    const sample = await reader.read(serverStatus)
    return typeof sample === 'string' ? null : sample.atMs
  }

  /** Has a server of ours look at itself so often from now on. One that is not ours is asked how often it does. */
  async function lookEvery(ms: number): Promise<void> {
    const command = setsLooks ? { setParameter: 1, [lookPeriod]: ms } : { getParameter: 1, [lookPeriod]: 1 }
    const reply = await reader.ask(command).catch(() => undefined)
    if (reply !== undefined) lookMs = setsLooks ? ms : Number(reply[lookPeriod] ?? lookMs)
  }

  /** Asks until a condition holds: a server may look at itself only once a second. */
  async function askUntil(isDone: () => boolean): Promise<void> {
    const giveUpAt = clock.now() + timeoutMs
    while (!isDone() && !reader.isRefused(diagnosticData) && clock.now() < giveUpAt) {
      await clock.sleep(Math.max(25, lookMs / 10))
      if ((await reader.read(diagnosticData)) === 'unreachable') return
    }
  }

  /** @param reachable Waiting for a dead member would delay all others, whose windows are already open. */
  function createWindow(reachable: boolean): WatchWindow {
    let startMs: number | null = null
    let endMs: number | null = null
    let polls: readonly Poll[] = []
    return {
      async begin() {
        reader.takePolls()
        if (reachable) startMs = await readEdge()
      },
      async end() {
        endMs = await readEdge()
        polls = reader.takePolls()
        if (endMs !== null && setsLooks) await lookEvery(lookEveryMs.outside)
      },
      async observe(durationMs) {
        // The next window may begin meanwhile, and drops older samples.
        const known = reader.samples()
        const isWorthIt = lookMs <= lookEveryMs.outside || durationMs >= minPart * lookMs
        const hasEnd = (): boolean => endMs === null || (reader.newestMs('getDiagnosticData') ?? Infinity) >= endMs
        await askUntil(() => !isWorthIt || hasEnd())
        const samples = [...new Set([...known, ...reader.samples()])]
        return { member, samples, polls, startMs, endMs, durationMs, trouble: { ...reader.trouble } }
      },
    }
  }

  return {
    async start() {
      const first = await reader.read(diagnosticData)
      if (first !== 'unreachable') await lookEvery(lookEveryMs.outside)
      if (first !== 'silent') return
      await askUntil(() => reader.newestMs('getDiagnosticData') !== undefined)
      await reader.read(serverStatus)
    },
    async stop() {
      if (setsLooks) await lookEvery(lookEveryMs.inside)
    },
    async poll() {
      if (polling) return
      polling = takeSample().finally(() => (polling = null))
      await polling
    },
    async prepareWindow() {
      await polling
      reader.dropOld()
      const reachable = (await reader.read(diagnosticData)) !== 'unreachable'
      if (reachable && setsLooks) await lookEvery(lookEveryMs.inside)
      return createWindow(reachable)
    },
  }
}

/** Reads the sources of a member, and keeps what they say without the traffic of reading it. */
function createReader({ member, role, ask, clock, onSample }: WatchedMember) {
  let samples: readonly Sample[] = []
  let polls: Poll[] = []
  /** Why a source has no data, by its last reply. */
  const trouble: Partial<Record<SourceName, string>> = {}
  const refused = new Set<Source>()
  const count = countOwnTraffic()

  const newestMs = (from: SourceName): number | undefined => samples.findLast(({ source }) => source === from)?.atMs

  function take({ name, command, read }: Source, reply: Fields, startedAt: number): Sample | 'silent' {
    const { replyBytes, subtractFrom } = count(command, reply)
    const sample = read(reply)
    polls.push({ ms: clock.now() - startedAt, bytes: replyBytes, ok: true })
    if (!sample) {
      trouble[name] = `${name} returned no data`
      return 'silent'
    }
    delete trouble[name]
    // The same statistics may be returned twice.
    if (newestMs(name) === sample.atMs) return sample
    const counted = subtractFrom(sample)
    const taken = role === undefined ? counted : { ...counted, role }
    samples = [...samples, taken]
    onSample?.(member, taken)
    return sample
  }

  return {
    trouble,
    newestMs,
    isRefused: (source: Source) => refused.has(source),
    samples: () => samples,
    /** Silent: this source has no data, another may have. Unreachable: another source makes no sense. */
    async read(source: Source): Promise<Sample | 'silent' | 'unreachable'> {
      if (refused.has(source)) return 'silent'
      const startedAt = clock.now()
      try {
        return take(source, await ask(source.command), startedAt)
      } catch (error) {
        polls.push({ ms: clock.now() - startedAt, bytes: 0, ok: false })
        trouble[source.name] = explain(source.name, error)
        if (!isRefusal(error)) return 'unreachable'
        refused.add(source)
        return 'silent'
      }
    },
    /** Asks for what is no sample. */
    async ask(command: Fields): Promise<Fields> {
      const reply = await ask(command)
      count(command, reply)
      return reply
    },
    /** Drops samples that the next window does not need. */
    dropOld() {
      const keptFromMs = (samples.at(-1)?.atMs ?? 0) - keptBeforeMs
      samples = samples.filter(({ atMs }) => atMs >= keptFromMs)
    },
    /** Returns the polls since it was last called. */
    takePolls(): readonly Poll[] {
      const taken = polls
      polls = []
      return taken
    },
  }
}
