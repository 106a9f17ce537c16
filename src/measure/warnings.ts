import { type PhaseResult } from '../results/schema.ts'
import { type OperationResult, type Unacknowledged } from '../results/schema/calls.ts'
import { type Warning } from '../results/schema/doubts.ts'
import { errorText } from './error-counts.ts'
import { lateFromMs } from './open-loop-recorder.ts'
import { mostDrift, mostSpread } from './steadiness.ts'

type Measured = Omit<PhaseResult, 'warnings' | 'availability'>

/** One reason to doubt a measurement. A new doubt is one entry in the list below. */
type Doubt = {
  readonly code: string
  /** What is in doubt here, a sentence without a final period; undefined when nothing is. */
  readonly finds: (phase: Measured) => string | undefined
  readonly advice: string
}

/** The 99th percentile of 1000 samples rests on ten. */
const fewestSamplesForP99 = 1000
const shortestWindowSeconds = 10
/** Little's law may be off by so much. */
const mostIdle = 0.1
/** Timers that fire later than this delay answers by as much. */
const mostLoopDelayMs = 10
/** Pages per operation that still count as none: the odd one is read by checkpoints and other housekeeping. */
const mostPagesWhenCached = 0.05
/** An operation that misses the cache reads a page of the index, of the data, or both; half of them may hit. */
const fewestPagesWhenUncached = 0.5
/** A plan that is not kept by so much is told. */
const mostBehind = 0.01
/** Answers to the last calls of a plan may take so long without any sign that the server fell behind. */
const forgivenSeconds = 1
/** Share of the host's CPU time that went to other machines. */
const mostSteal = 0.01

const percent = (share: number): string => `${Math.round(share * 100)} %`
const rate = (perSecond: number): string => perSecond.toFixed(perSecond < 10 ? 1 : 0)
const list = (words: readonly string[]): string | undefined => (words.length > 0 ? words.join(', ') : undefined)

const failures = ({ failed, unknown }: OperationResult): number => failed + unknown
const aborted = ({ transaction }: OperationResult): number => transaction?.aborted ?? 0
const calls = (operation: OperationResult): number => operation.ok + failures(operation) + aborted(operation)

function mostFrequentError({ operations }: Measured): string {
  const [most] = operations.flatMap(({ errors }) => errors).toSorted((one, other) => other.count - one.count)
  return most ? errorText(most) : 'no error was kept'
}

/** "12 transfer (overdraft 10, notFound 2)" */
function abortText({ name, transaction }: OperationResult): string {
  const reasons = Object.entries(transaction?.aborts ?? {}).map(([reason, count]) => `${reason} ${count}`)
  return `${transaction?.aborted} of ${name} (${reasons.join(', ')})`
}

/** The end of a sentence that says what was sent. */
function arrivalText(unacknowledged: Unacknowledged | null): string {
  if (unacknowledged === null) return ''
  const { sent, arrived, waitedMs, reason } = unacknowledged
  if (arrived === null) return `; how many of ${sent} documents arrived cannot be told: ${reason}`
  return `; of ${sent} documents ${arrived} had arrived when they were counted, ${(waitedMs / 1000).toFixed(1)} s later`
}

const endedEarly: readonly Doubt[] = [
  {
    code: 'everything-failed',
    finds: (phase) =>
      phase.endedBecause === 'everything failed'
        ? `The phase ended early because nothing succeeded any more, most often because of ${mostFrequentError(phase)}`
        : undefined,
    advice: 'Mend what the message names. Nothing in this row says how fast the server is.',
  },
  {
    code: 'aborted',
    finds: (phase) =>
      phase.endedBecause === 'aborted' ? 'The phase was aborted before it reached its end' : undefined,
    advice: 'Run it again; this row covers only a part of the work.',
  },
]

const samples: readonly Doubt[] = [
  {
    code: 'errors',
    finds(phase) {
      const failed = phase.operations.filter((operation) => failures(operation) > 0)
      const names = list(failed.map((operation) => `${failures(operation)} of ${calls(operation)} ${operation.name}`))
      return names && `Calls did not succeed: ${names}. Most often ${mostFrequentError(phase)}`
    },
    advice: 'Throughput counts successful calls alone. Look at the errors before comparing this row.',
  },
  {
    code: 'transactions-aborted',
    finds(phase) {
      const names = list(phase.operations.filter((operation) => aborted(operation) > 0).map(abortText))
      return names && `Transactions were aborted on purpose: ${names}`
    },
    advice:
      'They moved nothing, and are no part of throughput and latency. Where few may be, mend the spec or its data.',
  },
  {
    code: 'few-samples',
    finds(phase) {
      const few = phase.operations.filter(({ ok }) => ok > 0 && ok < fewestSamplesForP99)
      const names = list(few.map(({ name, ok }) => `${name} (${ok})`))
      return names && `The 99th percentile rests on fewer than ${fewestSamplesForP99} samples: ${names}`
    },
    advice: 'Raise the operations or the seconds of the phase, or read the median instead.',
  },
  {
    code: 'clamped',
    finds(phase) {
      const clamped = phase.operations.filter(({ latency: { ok, failed, unknown } }) =>
        [ok, failed, unknown].some((latency) => latency !== null && latency.clamped > 0),
      )
      const names = list(clamped.map(({ name }) => name))
      return names && `Samples lay outside of 1 µs to 10 min and were counted at the end of that range: ${names}`
    },
    advice: 'Percentiles near that end are wrong; mean, minimum and maximum are exact.',
  },
  {
    code: 'unacknowledged',
    finds: ({ writeConcern, operations, unacknowledged }) =>
      writeConcern['w'] === 0 &&
      operations.some(({ ok, inserted, documents }) => inserted > 0 || (ok > 0 && documents === 0))
        ? `Writes were not acknowledged: what is timed is the sending, and counts say what was sent, as far as that is known${arrivalText(unacknowledged)}`
        : undefined,
    advice: 'To time how long it takes until they are stored, use a write concern of 1 or more.',
  },
  {
    code: 'not-arrived',
    finds({ unacknowledged }) {
      const { sent, arrived } = unacknowledged ?? { sent: 0, arrived: null }
      return arrived !== null && arrived < sent
        ? `${sent - arrived} of ${sent} documents that were sent had not arrived when they were counted`
        : undefined
    },
    advice: 'The server refused them, or they were lost on the way. Ask for an acknowledgement to see which.',
  },
]

const streams: readonly Doubt[] = [
  {
    code: 'stream-errors',
    finds(phase) {
      const failed = phase.streams.filter(({ errors }) => errors.length > 0)
      const names = list(failed.map(({ name, errors: [first] }) => `${name} (${first?.name}: ${first?.message})`))
      return names && `A change stream did not see all events: ${names}`
    },
    advice: 'Its events and lags are those until then. Mend what the message names.',
  },
]

const openLoops: readonly Doubt[] = [
  {
    code: 'calls-dropped',
    finds: ({ openLoop }) =>
      openLoop !== null && openLoop.dropped > 0
        ? `${openLoop.dropped} of ${openLoop.planned} calls were never sent: when they were due, ${openLoop.maxInFlight} others still waited for their answers`
        : undefined,
    advice:
      'Response times are those of the calls that were sent, and look better than what callers would have seen. If the server paused, raise "maxInFlight"; if it cannot hold the rate, lower the rate.',
  },
  {
    code: 'below-target',
    finds({ openLoop, wallSeconds }) {
      if (openLoop === null) return undefined
      const { sent, seconds } = openLoop
      return wallSeconds - forgivenSeconds > seconds * (1 + mostBehind)
        ? `The server fell behind: ${rate(sent / seconds)} calls/s were sent for ${seconds.toFixed(1)} s, and ${rate(sent / wallSeconds)} calls/s were answered`
        : undefined
    },
    advice:
      'Response times grew for as long as it went on, and say more of the length of the phase than of the server. Lower the rate.',
  },
  {
    code: 'calls-late',
    finds({ openLoop }) {
      const { p99Ms = 0 } = openLoop?.wait ?? {}
      return p99Ms > lateFromMs
        ? `Calls were sent late: 1 % of them more than ${p99Ms.toFixed(1)} ms after they were due`
        : undefined
    },
    advice:
      'That wait is of this client, not of the server, and response times hold it; service times do not. Lower the rate, or use an idle or faster client machine.',
  },
]

/** An open loop goes as fast as its plan says. */
const isClosed = ({ load }: Pick<Measured, 'load'>): boolean => load === 'closed'

const searches: readonly Doubt[] = [
  {
    code: 'peak-at-the-end',
    finds: ({ peak, endedBecause }) =>
      endedBecause === 'seconds' &&
      peak !== null &&
      peak.workers !== null &&
      peak.workers === peak.steps.at(-1)?.workers
        ? `Throughput was greatest with ${peak.workers} workers, the most that were tried`
        : undefined,
    advice: 'More workers may be better still: raise "to".',
  },
]

const window: readonly Doubt[] = [
  {
    code: 'short-window',
    finds: ({ wallSeconds }) =>
      wallSeconds < shortestWindowSeconds
        ? `The window was only ${wallSeconds.toFixed(1)} s, shorter than ${shortestWindowSeconds} s`
        : undefined,
    advice: 'Use it to see that the spec works. To compare, give the phase more operations or seconds.',
  },
  {
    code: 'drifting',
    finds: ({ steadiness: { label, lastOverFirst }, ...phase }) =>
      isClosed(phase) && label === 'drifting' && lastOverFirst !== null
        ? `Throughput drifted: the last third ran at ${percent(lastOverFirst)} of the first, more than ${percent(mostDrift)} apart`
        : undefined,
    advice: 'Warm up for longer, or run until the pace holds; the mean depends on where the phase happened to end.',
  },
  {
    code: 'unsettled',
    finds: ({ steadiness: { label, spread }, ...phase }) =>
      isClosed(phase) && label === 'unsettled'
        ? `Throughput went up and down: the seconds differ by ${spread === null ? 'too much to say' : percent(spread)}, more than ${percent(mostSpread)} of the median`
        : undefined,
    advice: 'Run for longer and repeat; look for checkpoints, other load and small machines.',
  },
  {
    code: 'checkpoint',
    finds: ({ steadiness: { checkpoints } }) =>
      checkpoints === 1
        ? 'One checkpoint fell into the window; another run of this length may have none or two'
        : undefined,
    advice: 'Measure for two minutes or more, so that every run has the same share of checkpoints.',
  },
]

/** Of several threads, those that were too busy. */
function whoWasBusy({ eventLoopUtilization, threads }: PhaseResult['client']): string {
  const busy = threads.filter(({ saturated }) => saturated).length
  if (busy === 0) return `This client was busy for ${percent(eventLoopUtilization)}`
  return `${busy} of ${threads.length} threads of this client were too busy, the worst for ${percent(eventLoopUtilization)}`
}

const client: readonly Doubt[] = [
  {
    code: 'client-limited',
    finds: (phase) =>
      phase.client.saturated ? `${whoWasBusy(phase.client)} of the window and may have set the pace` : undefined,
    advice:
      'The server may be faster than this row says. Use fewer workers or a lower rate, more "threads" where the machine has cores to spare, or a faster client machine.',
  },
  {
    code: 'event-loop-delay',
    finds: ({ client: { eventLoopDelayP99Ms } }) =>
      eventLoopDelayP99Ms !== null && eventLoopDelayP99Ms > mostLoopDelayMs
        ? `Timers of this client fired up to ${Math.round(eventLoopDelayP99Ms)} ms late, and answers waited as long`
        : undefined,
    advice: 'Latencies hold that wait. Use smaller batches, fewer workers, a lower rate or an idle client machine.',
  },
  {
    code: 'idle-workers',
    finds: ({ littlesLaw }) =>
      littlesLaw !== null && Math.abs(littlesLaw - 1) > mostIdle
        ? `Workers waited for answers ${percent(littlesLaw)} of the time, where a closed loop should be near 100 %`
        : undefined,
    advice:
      'The client spent the rest on building documents, or on waiting for a last slow call. Fewer workers were at work than the row says.',
  },
]

const faults: readonly Doubt[] = [
  {
    code: 'fault-failed',
    finds({ faults: done }) {
      const wrong = done.flatMap(({ name, occurrences }) =>
        occurrences.flatMap(({ error }) => (error === null ? [] : `${name}: ${error}`)),
      )
      return wrong.length === 0 ? undefined : `A fault was not done as the spec says: ${[...new Set(wrong)].join('; ')}`
    },
    advice: 'What the row says of the fault is not what it is called. Look at its times in the result.',
  },
  {
    code: 'test-commands',
    finds: ({ faults: done }) =>
      done.some(({ kind, occurrences }) => kind === 'failPoint' || occurrences.some((one) => one.kind === 'failPoint'))
        ? 'The servers ran with test commands switched on, for fail points'
        : undefined,
    advice: 'This row shows how errors are handled; it says nothing of performance.',
  },
]

const servers: readonly Doubt[] = [
  {
    code: 'member-restarted',
    finds({ members }) {
      const names = list(members.filter(({ restarted }) => restarted).map(({ member }) => member))
      return names && `A server restarted inside the window: ${names}`
    },
    advice: "Its counters began again, so the totals of its resources are not this row's.",
  },
  {
    code: 'cpu-stolen',
    finds({ members }) {
      const stolen = members.flatMap(({ member, totals: { hostCpuStealMs, hostCpuTotalMs } }) =>
        hostCpuStealMs && hostCpuTotalMs && hostCpuStealMs / hostCpuTotalMs > mostSteal
          ? [`${member} (${percent(hostCpuStealMs / hostCpuTotalMs)})`]
          : [],
      )
      const names = list(stolen)
      return names && `The hypervisor gave CPU time of a server's host to other machines: ${names}`
    },
    advice: 'Repeat at another time or on another host; the difference between two rows may be the neighbours.',
  },
]

/** Pages read into the cache of all members, per successful call. Undefined when no member tells. */
function pagesPerCall({ members, operations }: Measured): number | undefined {
  const pages = members.flatMap(({ totals }) => totals.pagesReadIntoCache ?? [])
  const ok = operations.reduce((sum, operation) => sum + operation.ok, 0)
  return pages.length === 0 || ok === 0 ? undefined : pages.reduce((sum, one) => sum + one, 0) / ok
}

const claims: readonly Doubt[] = [
  {
    code: 'not-cached',
    finds(phase) {
      const pages = phase.claims?.cached === true ? pagesPerCall(phase) : undefined
      return pages !== undefined && pages > mostPagesWhenCached
        ? `The row is called cached, but the servers read ${pages.toFixed(2)} pages per operation`
        : undefined
    },
    advice: 'Read fewer rows, warm up for longer, or give the server a larger cache.',
  },
  {
    code: 'not-uncached',
    finds(phase) {
      const pages = phase.claims?.cached === false ? pagesPerCall(phase) : undefined
      return pages !== undefined && pages < fewestPagesWhenUncached
        ? `The row is called not cached, but the servers read only ${pages.toFixed(2)} pages per operation`
        : undefined
    },
    advice: 'Use more rows or a smaller cache: what was read came from memory.',
  },
]

/** Every reason to doubt a phase, what matters most first. */
export const allDoubts: readonly Doubt[] = [
  ...endedEarly,
  ...faults,
  ...claims,
  ...openLoops,
  ...client,
  ...samples,
  ...streams,
  ...searches,
  ...window,
  ...servers,
]

export function doubts(phase: Measured): Warning[] {
  // Where nothing was called there are no figures to doubt.
  const asked = phase.operations.some((operation) => calls(operation) > 0) ? allDoubts : endedEarly
  return asked.flatMap(({ code, finds, advice }) => {
    const message = finds(phase)
    return message === undefined ? [] : [{ code, message, advice }]
  })
}
