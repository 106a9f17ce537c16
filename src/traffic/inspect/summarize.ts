import type { Histogram } from 'hdr-histogram-js'
import { hdrHistogram } from '../../core/hdr-histogram.ts'
import { RecentMap } from '../../core/recent-map.ts'
import { countUpTo } from '../../metrics/statistics.ts'
import { findShape } from '../../protocol/bson/command-shape.ts'
import { minKept } from '../recording/create-recording.ts'
import type { RecordingEnd, RecordingHeader } from '../recording/header.ts'
import type { Recording } from '../recording/open-recording.ts'
import type { RecordedCall, RecordedWork } from '../recording/recorded-call.ts'
import { type ArrivalSummary, createArrivals } from './arrivals.ts'

/** Counts how many calls there are at the same time. */
type Concurrency = {
  /** Takes calls in the order of their starts. */
  readonly add: (startUs: number, endUs: number) => void
  readonly max: () => number
}

/** Maximum number of calls to count: more than servers accept. */
const maxCounted = 20_000

export function createConcurrency(): Concurrency {
  /** Ends of the calls that are in progress, sorted. */
  const ends: number[] = []
  let max = 0
  return {
    add(startUs, endUs) {
      ends.splice(0, countUpTo(ends, startUs, Number))
      if (ends.length < maxCounted) ends.splice(countUpTo(ends, endUs, Number), 0, endUs)
      max = Math.max(max, ends.length)
    },
    max: () => max,
  }
}

/** A recording in figures. */
export type TrafficSummary = RecordingEnd & {
  readonly header: RecordingHeader
  readonly connections: number
  readonly sessions: number
  readonly transactions: number
  /** Maximum number of calls at the same time, without those that drivers send on their own, beside an application's. */
  readonly maxConcurrency: number
  readonly arrivals: ArrivalSummary
  /** Time from a reply to the next call of its connection, in µs. */
  readonly thinkUs: Percentiles | null
  readonly requestBytes: number
  readonly replyBytes: number
  /** Sorted by calls, the most frequent first. */
  readonly shapes: readonly ShapeSummary[]
}

export type ShapeSummary = {
  readonly name: string
  readonly text: string
  readonly calls: number
  readonly perSecond: number
  readonly errors: number
  readonly withoutReply: number
  /** Null: there was no reply. */
  readonly latencyUs: Percentiles | null
  /** Mean number of documents in a reply. Null: no reply has any. */
  readonly documentsPerCall: number | null
  readonly requestBytes: number
  readonly replyBytes: number
  /** Sum of the latencies, in µs. */
  readonly totalUs: number
  /** Work of the server, where a log or a profile tells. Null: it does not. */
  readonly work: RecordedWork | null
}

export type Percentiles = { readonly p50: number; readonly p95: number; readonly p99: number; readonly max: number }

const sentByDrivers: ReadonlySet<string> = new Set(['killCursors', 'endSessions'])

/** Further shapes are counted together: keys may be data. */
const maxShapes = 1000
const rest = { name: 'other shapes', text: 'other shapes' }
/** Further plans of a shape are not told apart. */
const maxPlans = 100

const maxUs = 3_600_000_000

const createHistogram = (): Histogram =>
  hdrHistogram().build({ highestTrackableValue: maxUs, numberOfSignificantValueDigits: 2, bitBucketSize: 'packed' })

const record = (histogram: Histogram, us: number): void =>
  histogram.recordValue(Math.min(maxUs, Math.max(0, Math.round(us))))

function computePercentiles(histogram: Histogram): Percentiles | null {
  if (histogram.totalCount === 0) return null
  const at = (percentile: number): number => histogram.getValueAtPercentile(percentile)
  return { p50: at(50), p95: at(95), p99: at(99), max: histogram.maxValue }
}

type Counted = ReturnType<typeof newShape>

const newShape = (name: string, text: string) => ({
  name,
  text,
  calls: 0,
  errors: 0,
  withoutReply: 0,
  requestBytes: 0,
  replyBytes: 0,
  latency: createHistogram(),
  documents: 0,
  documentReplies: 0,
  totalUs: 0,
  work: { replies: 0, keys: 0, documents: 0, plans: new Map<string, number>() },
})

/** Summarizes a recording in constant memory. @throws {Problem} "recording-unreadable". */
export async function summarize(recording: Recording): Promise<TrafficSummary> {
  const shapes = new Map<string, Counted>()
  const lastEnds = new RecentMap<number, number>(minKept)
  const seen = new RecentMap<number, true>(minKept)
  const think = createHistogram()
  const concurrency = createConcurrency()
  const arrivals = createArrivals()
  let [connections, sessions, transactions] = [0, 0, 0]

  function observe(call: RecordedCall): void {
    const { connection, startUs, latencyUs, session, name } = call
    count(shapes, call)
    if (!sentByDrivers.has(name)) concurrency.add(startUs, startUs + (latencyUs ?? 0))
    arrivals.add(startUs)
    const lastEnd = lastEnds.get(connection)
    if (lastEnd === undefined) connections++
    else if (startUs >= lastEnd) record(think, startUs - lastEnd)
    lastEnds.set(connection, startUs + (latencyUs ?? 0))
    if (session !== null) {
      if (seen.get(session.number) === undefined) sessions++
      seen.set(session.number, true)
    }
    if (session?.transaction === 'starts') transactions++
  }

  for await (const batch of recording.batches()) for (const call of batch) observe(call)
  const end = recording.end() ?? { calls: 0, durationUs: 0, leftOut: {}, cutAt: null }
  const seconds = end.durationUs / 1_000_000
  const summaries = [...shapes.values()]
    .map((shape) => summarizeShape(shape, seconds))
    .toSorted((a, b) => b.calls - a.calls)
  return {
    ...end,
    header: recording.header,
    connections,
    sessions,
    transactions,
    maxConcurrency: concurrency.max(),
    arrivals: arrivals.result(end.durationUs),
    thinkUs: computePercentiles(think),
    requestBytes: summaries.reduce((sum, { requestBytes }) => sum + requestBytes, 0),
    replyBytes: summaries.reduce((sum, { replyBytes }) => sum + replyBytes, 0),
    shapes: summaries,
  }
}

function count(shapes: Map<string, Counted>, call: RecordedCall): void {
  const shape = findShape(call)
  const { name, text } = shapes.size < maxShapes || shapes.has(shape.text) ? shape : rest
  const known = shapes.get(text) ?? newShape(name, text)
  shapes.set(text, known)
  known.calls++
  known.requestBytes += call.requestBytes
  if (call.latencyUs !== null) {
    record(known.latency, call.latencyUs)
    known.totalUs += call.latencyUs
  }
  const { reply } = call
  if (reply === null) return void known.withoutReply++
  known.replyBytes += reply.bytes
  if (!reply.ok || reply.code !== 0) known.errors++
  if (reply.work !== null) countWork(known.work, reply.work)
  if (reply.documents === null) return
  known.documents += reply.documents
  known.documentReplies++
}

function countWork(known: Counted['work'], { plan, keys, documents }: RecordedWork): void {
  known.replies++
  known.keys += keys
  known.documents += documents
  const { plans } = known
  if (plans.has(plan) || plans.size < maxPlans) plans.set(plan, (plans.get(plan) ?? 0) + 1)
}

function summarizeWork({ replies, keys, documents, plans }: Counted['work']): RecordedWork | null {
  const [most] = [...plans].toSorted(([, a], [, b]) => b - a)
  if (most === undefined) return null
  return { plan: most[0], keys: keys / replies, documents: documents / replies }
}

const summarizeShape = (
  { latency, documents, documentReplies, work, ...shape }: Counted,
  seconds: number,
): ShapeSummary => ({
  ...shape,
  work: summarizeWork(work),
  perSecond: seconds > 0 ? shape.calls / seconds : 0,
  latencyUs: computePercentiles(latency),
  documentsPerCall: documentReplies === 0 ? null : documents / documentReplies,
})
