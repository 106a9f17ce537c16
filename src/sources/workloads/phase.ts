import { type Json, type JsonObject } from '../../core/json.ts'

/** A load of an imported spec. */
export type Load = {
  readonly name: string
  readonly workers: Json
  readonly ratePerSecond?: number | undefined
  readonly operations: readonly JsonObject[]
  /** When it ends: seconds of the window, or calls of all workers. Neither: with the others of its phase. */
  readonly seconds?: { readonly value: number; readonly json: Json } | undefined
  readonly calls?: Json | undefined
  /** Write concern, read concern and read preference. */
  readonly concerns: JsonObject
}

function parts({ name, workers, ratePerSecond, operations, concerns }: Load): JsonObject {
  const load = { kind: 'closed', workers, ...(ratePerSecond !== undefined && { maxRatePerSecond: ratePerSecond }) }
  return { name, load, operations, ...concerns }
}

/** A phase of one load, or of several beside each other, which end by seconds. */
export function createPhase(name: string, loads: readonly Load[], more: JsonObject = {}): JsonObject {
  const [first, ...others] = loads as readonly [Load, ...Load[]]
  if (others.length === 0) {
    const stopAfter = {
      ...(first.calls !== undefined && { operations: first.calls }),
      ...(first.seconds && { seconds: first.seconds.json }),
    }
    return { ...parts(first), ...more, stopAfter }
  }
  const lengthOf = ({ seconds }: Load): number => seconds?.value ?? 0
  const longest = loads.reduce((found, load) => (lengthOf(load) > lengthOf(found) ? load : found))
  const beside = loads.map((load) => ({
    ...parts(load),
    ...(load.seconds && lengthOf(load) < lengthOf(longest) && { until: load.seconds.json }),
  }))
  return { name, ...more, stopAfter: { seconds: longest.seconds?.json ?? null }, loads: beside }
}
