import { type FaultOccurrence, type FaultResult } from './schema/faults.ts'

/** A fault and the number of its occurrence, from 0. */
export type FaultTime = { readonly fault: string; readonly occurrence: number }

/** An occurrence of a fault, with the time until the next one. */
export type Occurrence = FaultOccurrence &
  FaultTime & {
    readonly kind: string
    /** Time when the next fault of any name began. Infinity: there was none. */
    readonly untilSeconds: number
  }

const known = new WeakMap<readonly FaultResult[], readonly Occurrence[]>()

/** Every occurrence of every fault, in the order in which they began. Each cell of each fault asks for them. */
export function listOccurrences(faults: readonly FaultResult[]): readonly Occurrence[] {
  const found = known.get(faults) ?? sorted(faults)
  known.set(faults, found)
  return found
}

function sorted(faults: readonly FaultResult[]): readonly Occurrence[] {
  const all = faults
    .flatMap(({ name: fault, kind, occurrences }) =>
      occurrences.map((one, occurrence) => ({ ...one, kind: one.kind ?? kind, fault, occurrence })),
    )
    .toSorted((a, b) => a.beganAtSeconds - b.beganAtSeconds)
  return all.map((one, index) => Object.assign(one, { untilSeconds: all[index + 1]?.beganAtSeconds ?? Infinity }))
}
