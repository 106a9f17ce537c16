import { type Clock } from '../clock.ts'
import { type Ask, explain, isRefusal } from './member-connection.ts'
import { type Observation, type Poll } from './observation.ts'
import { addTraffic, noTraffic, type OwnTraffic, trafficOf, withoutTraffic } from './own-traffic.ts'
import { type Sample, type SourceName } from './sample.ts'
import { diagnosticData, serverStatus, type Source } from './sources.ts'

/** How much of the past a window may need: the sample before its start. */
const keptBeforeMs = 5000
/** How long to wait for the server's next look at its host, and how often to ask for it. */
const patienceMs = 2000
const askAgainMs = 100

/** One member under observation. Nothing here throws: a question without an answer is a failed poll. */
export type Watch = {
  /** Finds out what the member tells. A server that has just been started takes a second until it knows anything. */
  readonly start: () => Promise<void>
  /** Takes a sample, unless the last one is still being taken. */
  readonly poll: () => Promise<void>
  /** Everything slow that comes before a window, so that all members can then begin together. */
  readonly prepareWindow: () => Promise<WatchWindow>
}

export type WatchWindow = {
  /** Reads the start of the window. */
  readonly begin: () => Promise<void>
  /** Reads the end of the window. */
  readonly end: () => Promise<void>
  /** Waits, outside of the window, for what the server looks at only once a second, and hands everything over. */
  readonly observe: (durationMs: number) => Promise<Observation>
}

export function watchMember({
  member,
  ask,
  clock,
}: {
  readonly member: string
  readonly ask: Ask
  readonly clock: Clock
}): Watch {
  let samples: Sample[] = []
  let polls: Poll[] = []
  let polling: Promise<void> | null = null
  const trouble: Partial<Record<SourceName, string>> = {}
  const refused = new Set<Source>()
  /** All that was asked and answered so far. */
  let own = noTraffic
  /** What that was whenever the server reported its status, since it last looked at itself. */
  let ownAtStatus: { readonly atMs: number; readonly own: OwnTraffic }[] = []

  /** A server may be asked twice before it looks at itself again. */
  const newestMs = (from: SourceName): number | undefined => samples.findLast(({ source }) => source === from)?.atMs

  /** Silent: this source has nothing to tell, another may. Unreachable: asking another makes no sense. */
  async function attempt(source: Source): Promise<Sample | 'silent' | 'unreachable'> {
    if (refused.has(source)) return 'silent'
    const startedAt = clock.now()
    try {
      const reply = await ask(source.command)
      // One connection: questions are answered in the order in which the server counted them.
      const before = own
      const traffic = trafficOf(source.command, reply)
      own = addTraffic(before, traffic)
      const sample = source.read(reply)
      polls.push({ ms: clock.now() - startedAt, bytes: traffic.networkBytesOut, ok: true })
      if (!sample) {
        trouble[source.name] = `${source.name} has nothing to tell`
        return 'silent'
      }
      delete trouble[source.name]
      if (newestMs(source.name) !== sample.atMs) samples.push(withoutOwn(sample, before, traffic))
      return sample
    } catch (error) {
      polls.push({ ms: clock.now() - startedAt, bytes: 0, ok: false })
      trouble[source.name] = explain(source.name, error)
      if (!isRefusal(error)) return 'unreachable'
      refused.add(source)
      return 'silent'
    }
  }

  /** A server has counted the question that it answers, but not yet the answer. */
  function withoutOwn(sample: Sample, before: OwnTraffic, { networkBytesIn }: OwnTraffic): Sample {
    const { source, atMs } = sample
    if (source === 'serverStatus') {
      ownAtStatus.push({ atMs, own: before })
      return withoutTraffic(sample, addTraffic(before, { ...noTraffic, networkBytesIn }))
    }
    // It looked at itself after we had last asked what it saw, or we would have got that then.
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

  /** The server looks at itself once a second, so its next word takes a while. */
  async function askUntil(told: () => boolean): Promise<void> {
    const giveUpAt = clock.now() + patienceMs
    while (!told() && !refused.has(diagnosticData) && clock.now() < giveUpAt) {
      await clock.sleep(askAgainMs)
      if ((await attempt(diagnosticData)) === 'unreachable') return
    }
  }

  return {
    async start() {
      if ((await attempt(diagnosticData)) !== 'silent') return
      await askUntil(() => newestMs('getDiagnosticData') !== undefined)
      await attempt(serverStatus)
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
      let startMs: number | null = null
      let endMs: number | null = null
      let pollsInWindow: readonly Poll[] = []
      return {
        async begin() {
          polls = []
          // A dead member would keep all others waiting with their windows already open.
          if (reachable) startMs = await readEdge()
        },
        async end() {
          endMs = await readEdge()
          pollsInWindow = polls
          polls = []
        },
        async observe(durationMs) {
          // The next window may begin meanwhile, and forgets what lies before it.
          const known = [...samples]
          await askUntil(() => endMs === null || (newestMs('getDiagnosticData') ?? Infinity) >= endMs)
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
