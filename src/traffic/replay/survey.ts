import { LatencyRecord, type LatencyPart } from '../../load/measure/latency.ts'
import { type RecordedCall } from '../recording/recorded-call.ts'
import { selectCalls, type Selection } from './selection.ts'
import { Shapes } from './shapes.ts'
import { type Use } from './slots.ts'

/** What a recording has of one shape. */
export type RecordedShape = {
  readonly calls: number
  /** Latencies of calls whose replies were seen. Undefined: none was. */
  readonly latency: LatencyPart | undefined
}

/** What there is to replay: found out before anything is sent. */
export type Survey = {
  readonly shapes: Shapes
  /** For each shape. */
  readonly recorded: readonly RecordedShape[]
  readonly calls: number
  /** The first and the last call that are sent, in µs since the recording began. */
  readonly firstUs: number
  readonly lastUs: number
  readonly uses: ReadonlyMap<number, Use>
  /** Number of calls that may write, by command and database: "insert on shop". */
  readonly writes: ReadonlyMap<string, number>
  /** Number of calls that are left out, by reason. */
  readonly leftOut: ReadonlyMap<string, number>
  /** Whether calls have numbers of transactions, which only replica sets and clusters take. */
  readonly needsSet: boolean
  readonly maxLatencyUs: number
}

/** Goes through a recording once. Memory grows with its shapes and connections, not with its calls. */
export async function surveyCalls(calls: AsyncIterable<RecordedCall>, selection: Selection): Promise<Survey> {
  const decide = selectCalls(selection)
  const shapes = new Shapes()
  const latencies: { calls: number; readonly latency: LatencyRecord }[] = []
  const uses = new Map<number, { firstUs: number; lastUs: number }>()
  const [writes, leftOut] = [new Map<string, number>(), new Map<string, number>()]
  let [firstUs, lastUs, maxLatencyUs, count] = [Infinity, 0, 0, 0]
  let needsSet = false
  for await (const call of calls) {
    const fate = decide(call)
    if ('leftOut' in fate) {
      addTo(leftOut, fate.leftOut)
      continue
    }
    const { connection, startUs, latencyUs, session } = call
    count += 1
    if (fate.writes) addTo(writes, `${call.name} on ${call.database}`)
    needsSet ||= session !== null && session.transactionNumber !== null
    firstUs = Math.min(firstUs, startUs)
    lastUs = Math.max(lastUs, startUs)
    const use = uses.get(connection)
    if (use === undefined) uses.set(connection, { firstUs: startUs, lastUs: startUs + (latencyUs ?? 0) })
    else use.lastUs = Math.max(use.lastUs, startUs + (latencyUs ?? 0))
    const shape = (latencies[shapes.of(call)] ??= { calls: 0, latency: new LatencyRecord() })
    shape.calls += 1
    if (latencyUs === null) continue
    shape.latency.add(Math.round(latencyUs))
    maxLatencyUs = Math.max(maxLatencyUs, latencyUs)
  }
  // The most frequent first, as reports show them.
  const order = [...latencies.keys()].toSorted(
    (one, other) => (latencies[other]?.calls ?? 0) - (latencies[one]?.calls ?? 0),
  )
  shapes.reorder(order)
  const recorded = order.flatMap((index) => {
    const shape = latencies[index]
    return shape === undefined ? [] : [{ calls: shape.calls, latency: shape.latency.take() }]
  })
  return { shapes, recorded, calls: count, firstUs, lastUs, uses, writes, leftOut, needsSet, maxLatencyUs }
}

/** Calls per second of a replay, on average. @param speed How many times as fast as recorded. */
export const rateOf = ({ calls, firstUs, lastUs }: Survey, speed: number): number =>
  (calls / Math.max(1, lastUs - firstUs)) * 1e6 * speed

/** Adds one to a count. */
const addTo = (counts: Map<string, number>, key: string): void => void counts.set(key, (counts.get(key) ?? 0) + 1)
