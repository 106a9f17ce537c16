import { type Failure, type Outcome } from '../engines/engine.ts'
import { type ErrorPart, ErrorRecord, mergeErrors } from './error-counts.ts'

/** Width of a slot, in milliseconds: gaps that are longer are exact, and moments of failures are known to within so much. */
export const slotMs = 5
const msPerSecond = 1000

/** Events in one slot of the window. Times are the clock's, in milliseconds. */
type Slot = {
  /** Times when the first and the last success of the slot ended. Undefined: none did. */
  readonly firstSuccessMs: number | undefined
  readonly lastSuccessMs: number | undefined
  /** Time when the first success ended of a call that was sent in the slot. Undefined: none succeeded. */
  readonly firstEndMs: number | undefined
  readonly errors: readonly ErrorPart[]
}

/** Successes and failures of calls in time, from which it follows what faults have cost. */
export type AvailabilityPart = {
  /** Slots of the window in which something happened, by number. */
  readonly slots: ReadonlyMap<number, Slot>
  /** Seconds of the window in which a call was due or under way. */
  readonly due: ReadonlySet<number>
}

export const noAvailability: AvailabilityPart = { slots: new Map(), due: new Set() }

const findMin = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined || other === undefined ? (one ?? other) : Math.min(one, other)
const findMax = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined || other === undefined ? (one ?? other) : Math.max(one, other)

const mergeSlots = (one: Slot | undefined, other: Slot): Slot =>
  one === undefined
    ? other
    : {
        firstSuccessMs: findMin(one.firstSuccessMs, other.firstSuccessMs),
        lastSuccessMs: findMax(one.lastSuccessMs, other.lastSuccessMs),
        firstEndMs: findMin(one.firstEndMs, other.firstEndMs),
        errors: mergeErrors([one.errors, other.errors]),
      }

export function mergeAvailability(parts: readonly AvailabilityPart[]): AvailabilityPart {
  const slots = new Map<number, Slot>()
  for (const part of parts)
    for (const [number, slot] of part.slots) slots.set(number, mergeSlots(slots.get(number), slot))
  return { slots, due: new Set(parts.flatMap(({ due }) => [...due])) }
}

type OpenSlot = {
  firstSuccessMs: number | undefined
  lastSuccessMs: number | undefined
  firstEndMs: number | undefined
  errors: ErrorRecord | undefined
}

/** Records calls of a phase that has faults, until they are taken. Memory: a few numbers for each slot. */
export class AvailabilityRecord {
  readonly #startMs: number
  #slots = new Map<number, OpenSlot>()
  #due = new Set<number>()

  constructor(windowStartMs: number) {
    this.#startMs = windowStartMs
  }

  record(startMs: number, endMs: number, outcome: Outcome): void {
    const first = Math.max(0, this.#secondOf(startMs))
    const last = this.#secondOf(endMs)
    // A success that began in its own second is no outage of it.
    if (outcome.kind !== 'ok' || first < last) for (let second = first; second <= last; second++) this.#due.add(second)
    if (outcome.kind === 'ok') this.#succeed(startMs, endMs)
    else if (outcome.kind !== 'aborted') this.#fail(outcome, endMs)
  }

  take(): AvailabilityPart {
    const slots = new Map(
      [...this.#slots].map(([number, { errors, ...times }]) => [number, { ...times, errors: errors?.take() ?? [] }]),
    )
    const part = { slots, due: this.#due }
    this.#slots = new Map()
    this.#due = new Set()
    return part
  }

  #succeed(startMs: number, endMs: number): void {
    const ended = this.#slotAt(endMs)
    ended.firstSuccessMs ??= endMs
    ended.lastSuccessMs = endMs
    this.#slotAt(startMs).firstEndMs ??= endMs
  }

  #fail(failure: Failure, endMs: number): void {
    const slot = this.#slotAt(endMs)
    slot.errors ??= new ErrorRecord()
    slot.errors.add(failure, endMs)
  }

  #slotAt(ms: number): OpenSlot {
    const number = Math.floor((ms - this.#startMs) / slotMs)
    const known = this.#slots.get(number)
    if (known !== undefined) return known
    const slot = { firstSuccessMs: undefined, lastSuccessMs: undefined, firstEndMs: undefined, errors: undefined }
    this.#slots.set(number, slot)
    return slot
  }

  #secondOf(ms: number): number {
    return Math.floor((ms - this.#startMs) / msPerSecond)
  }
}
