import { type ErrorCount } from '../../results/schema/calls.ts'
import { type Failure } from '../engines/engine.ts'

/** Errors kept apart, per operation. A server with a thousand different codes must not fill our memory. */
export const maxErrors = 50
const maxMessageLength = 500

/** Errors of one outcome, code and set of labels, with the first message. */
export type ErrorPart = ErrorCount & {
  /** Time when the first of them ended, in the clock's milliseconds. */
  readonly firstMs: number
}

const toErrorKey = ({ outcome, code, labels }: Pick<ErrorCount, 'outcome' | 'code' | 'labels'>): string =>
  `${outcome} ${code} ${labels?.join(' ')}`

/** Counts errors until they are taken, by key. */
export class ErrorRecord {
  /** All that have ever been seen here: what is beyond `maxErrors` of them counts as one. */
  readonly #known = new Set<string>()
  #parts = new Map<string, ErrorPart>()

  get isEmpty(): boolean {
    return this.#parts.size === 0
  }

  add({ kind: outcome, code, name, message, labels }: Failure, nowMs: number): void {
    const error = { outcome, code, name, message: message.slice(0, maxMessageLength), labels: [...labels] }
    const key = toErrorKey(error)
    if (!this.#known.has(key) && this.#known.size >= maxErrors) return this.#count(otherErrors(outcome), nowMs)
    this.#known.add(key)
    this.#count(error, nowMs)
  }

  take(): readonly ErrorPart[] {
    if (this.#parts.size === 0) return noErrors
    const parts = sortByKey(this.#parts)
    this.#parts = new Map()
    return parts
  }

  #count(error: Omit<ErrorCount, 'count'>, nowMs: number): void {
    const key = toErrorKey(error)
    this.#parts.set(key, mergeError(this.#parts.get(key), { ...error, count: 1, firstMs: nowMs }))
  }
}

const noErrors: readonly ErrorPart[] = []

const otherCode = 'other'

const otherErrors = (outcome: ErrorCount['outcome']): Omit<ErrorCount, 'count'> => ({
  outcome,
  code: otherCode,
  name: 'Other',
  labels: [],
  message: `More than ${maxErrors} different errors, the rest counted here`,
})

/** Merges lists of errors, and adds up the counts of equal ones. */
export function mergeErrors(all: readonly (readonly ErrorPart[])[]): readonly ErrorPart[] {
  const [first = noErrors, ...others] = all.filter(({ length }) => length > 0)
  if (others.length === 0) return first
  const byKey = new Map(first.map((part) => [toErrorKey(part), part]))
  for (const part of others.flat()) byKey.set(toErrorKey(part), mergeError(byKey.get(toErrorKey(part)), part))
  return sortByKey(byKey)
}

const sortByKey = (parts: ReadonlyMap<string, ErrorPart>): readonly ErrorPart[] =>
  [...parts].toSorted(([one], [other]) => inOrder(one, other)).map(([, part]) => part)

const inOrder = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)

/** The text is that of the first one; of several in the same moment, whichever comes first in the alphabet. */
const mergeError = (one: ErrorPart | undefined, other: ErrorPart): ErrorPart => {
  if (one === undefined) return other
  const order = one.firstMs - other.firstMs || inOrder(one.message, other.message) || inOrder(one.name, other.name)
  return { ...(order <= 0 ? one : other), count: one.count + other.count }
}

/**
 * The most frequent first; of equally frequent ones the first that was seen. Several recorders may have seen more than
 * `maxErrors` of them: the first are kept, the others count as one.
 */
export function listErrors(parts: readonly ErrorPart[]): ErrorCount[] {
  const isOther = ({ code }: ErrorPart): boolean => code === otherCode
  const known = parts.filter((part) => !isOther(part)).toSorted((one, other) => one.firstMs - other.firstMs)
  const others = [...parts.filter(isOther), ...known.slice(maxErrors)]
  const asOne = mergeErrors(others.map((part) => [{ ...part, ...otherErrors(part.outcome) }]))
  return [...known.slice(0, maxErrors), ...asOne]
    .toSorted((one, other) => other.count - one.count || one.firstMs - other.firstMs)
    .map(({ firstMs: _firstMs, ...error }) => error)
}
