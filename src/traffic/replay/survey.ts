import { type LatencyPart, LatencyRecord, percentileMs } from '../../load/measure/latency.ts'
import type { RecordedCall } from '../recording/recorded-call.ts'
import type { Speed } from './replay-load.ts'
import { type Selection, selectCalls } from './selection.ts'
import { Shapes } from './shapes.ts'
import { ConnectionGroups, type CountedUse } from './shares.ts'
import { makesExpire } from './without-expiry.ts'

/** A day. */
const maxSeconds = 86_400

/** Recorded latencies over the time of a replay: of the calls that began in each second. Null: none did. */
export class RecordedSeconds {
  readonly p50Ms: (number | null)[] = []
  readonly p99Ms: (number | null)[] = []
  readonly #latency = new LatencyRecord()
  #second = 0

  /** Adds a call, in the order of their seconds. Those after the first day are left out. */
  add(second: number, us: number): void {
    if (second > this.#second) this.end()
    this.#second = Math.max(this.#second, second)
    if (second < maxSeconds) this.#latency.add(us)
  }

  /** Ends the last second. */
  end(): void {
    const latency = this.#latency.take()
    if (latency === undefined) return
    while (this.p50Ms.length < this.#second) for (const series of [this.p50Ms, this.p99Ms]) series.push(null)
    this.p50Ms.push(percentileMs(latency, 50))
    this.p99Ms.push(percentileMs(latency, 99))
  }
}

export type RecordedShape = {
  readonly calls: number
  /** Latencies of calls whose replies were seen. Undefined: none was. */
  readonly latency: LatencyPart | undefined
}

/** An overview of what there is to replay, made before anything is sent. */
export type Survey = {
  readonly shapes: Shapes
  readonly recorded: readonly RecordedShape[]
  /** Recorded latencies of each second of the replay. Undefined: at "max" its seconds are others. */
  readonly overTime: Pick<RecordedSeconds, 'p50Ms' | 'p99Ms'> | undefined
  readonly calls: number
  /** The first and the last call that are sent, in µs since the recording began. */
  readonly firstUs: number
  readonly lastUs: number
  readonly uses: ReadonlyMap<number, CountedUse>
  /** Connections that sessions or cursors were shared over, together. */
  readonly groups: readonly (readonly number[])[]
  /** Number of calls that may write, by command and database: "insert on shop". */
  readonly writes: ReadonlyMap<string, number>
  /** Databases that they may write to; "*" for calls that may name any. */
  readonly written: ReadonlySet<string>
  /** Number of calls that are left out, or a part of them, by reason. */
  readonly leftOut: ReadonlyMap<string, number>
  /** Whether calls have numbers of transactions, which only replica sets and clusters take. */
  readonly needsSet: boolean
  readonly maxLatencyUs: number
}

const anyDatabase = '*'
/** Commands that name where they write to, besides the database that they are on. */
const namesTargets: ReadonlySet<string> = new Set(['aggregate', 'bulkWrite'])

/** Goes through a recording once. Memory grows with its shapes and connections, not with its calls. */
export async function surveyCalls(
  batches: AsyncIterable<Iterable<RecordedCall>>,
  selection: Selection,
  speed: Speed = 'max',
): Promise<Survey> {
  const decide = selectCalls(selection)
  const shapes = new Shapes()
  const found: { calls: number; readonly latency: LatencyRecord }[] = []
  const overTime = speed === 'max' ? undefined : new RecordedSeconds()
  const uses = new Map<number, { firstUs: number; lastUs: number; calls: number }>()
  const groups = new ConnectionGroups()
  const survey = { calls: 0, firstUs: Infinity, lastUs: 0, maxLatencyUs: 0, needsSet: false }
  const [writes, leftOut, written] = [new Map<string, number>(), new Map<string, number>(), new Set<string>()]

  function add(call: RecordedCall): void {
    const fate = decide(call)
    if ('leftOut' in fate) return addTo(leftOut, fate.leftOut)
    if (!selection.expires && makesExpire(call)) addTo(leftOut, `"expireAfterSeconds" of ${call.name}`)
    if (fate.writes) addTo(writes, `${call.name} on ${call.database}`)
    if (fate.writes) written.add(namesTargets.has(call.name) ? anyDatabase : call.database)
    const { connection, startUs, latencyUs, session } = call
    const endUs = startUs + (latencyUs ?? 0)
    survey.calls += 1
    survey.needsSet ||= session !== null && session.transactionNumber !== null
    survey.firstUs = Math.min(survey.firstUs, startUs)
    survey.lastUs = Math.max(survey.lastUs, startUs)
    survey.maxLatencyUs = Math.max(survey.maxLatencyUs, latencyUs ?? 0)
    const use = uses.get(connection)
    if (use === undefined) uses.set(connection, { firstUs: startUs, lastUs: endUs, calls: 1 })
    else {
      use.lastUs = Math.max(use.lastUs, endUs)
      use.calls += 1
    }
    groups.add(call)
    const shape = (found[shapes.of(call)] ??= { calls: 0, latency: new LatencyRecord() })
    shape.calls += 1
    if (latencyUs === null) return
    const us = Math.round(latencyUs)
    shape.latency.add(us)
    overTime?.add(Math.floor((startUs - survey.firstUs) / 1e6 / Number(speed)), us)
  }

  for await (const batch of batches) for (const call of batch) add(call)
  overTime?.end()
  // The most frequent first, as reports show them.
  const ranked = [...found.entries()].toSorted(([, one], [, other]) => other.calls - one.calls)
  shapes.reorder(ranked.map(([index]) => index))
  const recorded = ranked.map(([, { calls, latency }]) => ({ calls, latency: latency.take() }))
  return { ...survey, shapes, recorded, overTime, uses, groups: groups.list(), writes, written, leftOut }
}

/** Calls per second of a replay, on average. @param speed How many times as fast as recorded. */
export const computeRate = ({ calls, firstUs, lastUs }: Survey, speed: number): number =>
  (calls / Math.max(1, lastUs - firstUs)) * 1e6 * speed

/** More names are counted together: they may be data. */
const maxNames = 1000

function addTo(counts: Map<string, number>, key: string): void {
  const name = counts.size < maxNames || counts.has(key) ? key : 'others'
  counts.set(name, (counts.get(name) ?? 0) + 1)
}
