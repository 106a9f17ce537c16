import { type Clock } from '../../core/clock.ts'
import { lookPeriod } from '../targets/server/process/mongod-process.ts'
import { type Ask, explain, isRefusal } from './member-connection.ts'
import { type Observation, type Poll } from './member-resources.ts'
import { addTraffic, noTraffic, type OwnTraffic, measureTraffic, withoutTraffic } from './own-traffic.ts'
import { type OnSample, type Role, type Sample, type SourceName } from './sample.ts'
import { diagnosticData, serverStatus, type Source } from './sources.ts'

/** A window needs samples of up to this time before its start. */
const keptBeforeMs = 5000
/** How long to wait until the server has looked at itself, and how often to ask. */
const timeoutMs = 2000
const askAgainMs = (lookMs: number): number => Math.max(25, lookMs / 10)
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

/** Creates the sampling of one member. */
export function watchMember({
  member,
  role,
  setsLooks = false,
  ask,
  clock,
  onSample,
}: {
  readonly member: string
  /** Default: as the member says. */
  readonly role?: Role | undefined
  /** Whether to say how often it looks at itself. Default: no. */
  readonly setsLooks?: boolean | undefined
  readonly ask: Ask
  readonly clock: Clock
  readonly onSample?: OnSample | undefined
}): Watch {
  let samples: Sample[] = []
  let polls: Poll[] = []
  let polling: Promise<void> | null = null
  const trouble: Partial<Record<SourceName, string>> = {}
  const refused = new Set<Source>()
  /** Between two looks of the member at itself, as far as that is known. */
  let lookMs: number = lookEveryMs.inside
  /** Traffic of all samples so far. */
  let own = noTraffic
  /** Own traffic at each `serverStatus` since the server last updated its statistics. */
  let ownAtStatus: { readonly atMs: number; readonly own: OwnTraffic }[] = []

  /** The same statistics may be returned twice. */
  const newestMs = (from: SourceName): number | undefined => samples.findLast(({ source }) => source === from)?.atMs

  /** Silent: this source has no data, another may have. Unreachable: another source makes no sense. */
  async function attempt(source: Source): Promise<Sample | 'silent' | 'unreachable'> {
    if (refused.has(source)) return 'silent'
    const startedAt = clock.now()
    try {
      const reply = await ask(source.command)
      // On one connection, the server replies in the order in which it counted the commands.
      const before = own
      const traffic = measureTraffic(source.command, reply)
      own = addTraffic(before, traffic)
      const sample = source.read(reply)
      polls.push({ ms: clock.now() - startedAt, bytes: traffic.networkBytesOut, ok: true })
      if (!sample) {
        trouble[source.name] = `${source.name} returned no data`
        return 'silent'
      }
      delete trouble[source.name]
      if (newestMs(source.name) !== sample.atMs) {
        const counted = withoutOwn(sample, before, traffic)
        const taken = role === undefined ? counted : { ...counted, role }
        samples.push(taken)
        onSample?.(member, taken)
      }
      return sample
    } catch (error) {
      polls.push({ ms: clock.now() - startedAt, bytes: 0, ok: false })
      trouble[source.name] = explain(source.name, error)
      if (!isRefusal(error)) return 'unreachable'
      refused.add(source)
      return 'silent'
    }
  }

  /** A server has counted the command that it replies to, but not yet the reply. */
  function withoutOwn(sample: Sample, before: OwnTraffic, { networkBytesIn }: OwnTraffic): Sample {
    const { source, atMs } = sample
    if (source === 'serverStatus') {
      ownAtStatus.push({ atMs, own: before })
      return withoutTraffic(sample, addTraffic(before, { ...noTraffic, networkBytesIn }))
    }
    // These statistics are newer than the previous command, whose reply would have had them otherwise.
    ownAtStatus = ownAtStatus.filter((status) => status.atMs > atMs)
    return withoutTraffic(sample, ownAtStatus[0]?.own ?? before)
  }

  async function takeSample(): Promise<void> {
    if ((await attempt(diagnosticData)) === 'silent') await attempt(serverStatus)
  }

  async function readEdge(): Promise<number | null> {
    await polling
    const sample = await attempt(serverStatus)
    return typeof sample === 'string' ? null : sample.atMs
  }

  /** Has a server of ours look at itself so often from now on. One that is not ours is asked how often it does. */
  async function lookEvery(ms: number): Promise<void> {
    const command = setsLooks ? { setParameter: 1, [lookPeriod]: ms } : { getParameter: 1, [lookPeriod]: 1 }
    const reply = await ask(command).catch(() => undefined)
    if (reply === undefined) return
    own = addTraffic(own, measureTraffic(command, reply))
    lookMs = setsLooks ? ms : Number(reply[lookPeriod] ?? lookMs)
  }

  /** Asks until a condition holds: a server may look at itself only once a second. */
  async function askUntil(isDone: () => boolean): Promise<void> {
    const giveUpAt = clock.now() + timeoutMs
    while (!isDone() && !refused.has(diagnosticData) && clock.now() < giveUpAt) {
      await clock.sleep(askAgainMs(lookMs))
      if ((await attempt(diagnosticData)) === 'unreachable') return
    }
  }

  return {
    async start() {
      const first = await attempt(diagnosticData)
      if (first !== 'unreachable') await lookEvery(lookEveryMs.outside)
      if (first !== 'silent') return
      await askUntil(() => newestMs('getDiagnosticData') !== undefined)
      await attempt(serverStatus)
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
      const keptFromMs = (samples.at(-1)?.atMs ?? 0) - keptBeforeMs
      samples = samples.filter(({ atMs }) => atMs >= keptFromMs)
      const reachable = (await attempt(diagnosticData)) !== 'unreachable'
      if (reachable && setsLooks) await lookEvery(lookEveryMs.inside)
      let startMs: number | null = null
      let endMs: number | null = null
      let pollsInWindow: readonly Poll[] = []
      return {
        async begin() {
          polls = []
          // Waiting for a dead member would delay all others, whose windows are already open.
          if (reachable) startMs = await readEdge()
        },
        async end() {
          endMs = await readEdge()
          pollsInWindow = polls
          polls = []
          if (endMs !== null && setsLooks) await lookEvery(lookEveryMs.outside)
        },
        async observe(durationMs) {
          // The next window may begin meanwhile, and drops older samples.
          const known = [...samples]
          const isWorthIt = lookMs <= lookEveryMs.outside || durationMs >= minPart * lookMs
          await askUntil(() => !isWorthIt || endMs === null || (newestMs('getDiagnosticData') ?? Infinity) >= endMs)
          return {
            member,
            samples: [...new Set([...known, ...samples])],
            polls: pollsInWindow,
            startMs,
            endMs,
            durationMs,
            trouble: { ...trouble },
          }
        },
      }
    },
  }
}
