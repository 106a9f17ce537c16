import { type Failure } from '../engines/engine.ts'
import { type ErrorCount } from '../results/schema/calls.ts'

/** Errors kept apart, per operation. A server with a thousand different codes must not fill our memory. */
export const maxErrors = 50
const maxMessageLength = 500

/** An error in a sentence. Drivers begin some messages with the name of the error. */
export function errorText({ code, name, message }: Pick<ErrorCount, 'code' | 'name' | 'message'>): string {
  const reason = message.startsWith(`${name}: `) ? message.slice(name.length + 2) : message
  return `${code === name ? name : `${name} (${code})`}: ${reason}`
}

/** Errors of one outcome, code and set of labels, with the first message. */
export type ErrorPart = ErrorCount & {
  /** When the first of them ended, in the clock's milliseconds. */
  readonly firstMs: number
}

const keyOf = ({ outcome, code, labels }: Pick<ErrorCount, 'outcome' | 'code' | 'labels'>): string =>
  `${outcome} ${code} ${labels?.join(' ')}`

/** Counts errors until they are taken. */
export class ErrorRecord {
  /** All that have ever been seen here: what is beyond `maxErrors` of them counts as one. */
  readonly #known = new Set<string>()
  #parts = new Map<string, ErrorPart>()

  get isEmpty(): boolean {
    return this.#parts.size === 0
  }

  add({ kind: outcome, code, name, message, labels }: Failure, nowMs: number): void {
    const error = { outcome, code, name, message: message.slice(0, maxMessageLength), labels: [...labels] }
    const key = keyOf(error)
    if (!this.#known.has(key) && this.#known.size >= maxErrors) return this.#count(otherErrors(outcome), nowMs)
    this.#known.add(key)
    this.#count(error, nowMs)
  }

  take(): readonly ErrorPart[] {
    if (this.#parts.size === 0) return noErrors
    const parts = [...this.#parts.values()]
    this.#parts = new Map()
    return parts
  }

  #count(error: Omit<ErrorCount, 'count'>, nowMs: number): void {
    const key = keyOf(error)
    const seen = this.#parts.get(key)
    this.#parts.set(key, seen ? { ...seen, count: seen.count + 1 } : { ...error, count: 1, firstMs: nowMs })
  }
}

const noErrors: readonly ErrorPart[] = []

const otherErrors = (outcome: ErrorCount['outcome']): Omit<ErrorCount, 'count'> => ({
  outcome,
  code: 'other',
  name: 'Other',
  labels: [],
  message: `More than ${maxErrors} different errors, the rest counted here`,
})

export function mergeErrors(one: readonly ErrorPart[], other: readonly ErrorPart[]): readonly ErrorPart[] {
  if (one.length === 0) return other
  if (other.length === 0) return one
  const byKey = new Map(one.map((part) => [keyOf(part), part]))
  for (const part of other) {
    const known = byKey.get(keyOf(part))
    byKey.set(keyOf(part), known ? { ...earlierOf(known, part), count: known.count + part.count } : part)
  }
  return [...byKey].toSorted(([left], [right]) => (left < right ? -1 : 1)).map(([, part]) => part)
}

const earlierOf = (one: ErrorPart, other: ErrorPart): ErrorPart =>
  one.firstMs < other.firstMs || (one.firstMs === other.firstMs && one.message <= other.message) ? one : other

/** The most frequent first; of equally frequent ones the first that was seen. */
export const listErrors = (parts: readonly ErrorPart[]): ErrorCount[] =>
  parts
    .toSorted((one, other) => other.count - one.count || one.firstMs - other.firstMs)
    .map(({ firstMs: _firstMs, ...error }) => error)
