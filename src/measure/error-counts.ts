import { type Failure } from '../engines/engine.ts'
import { type ErrorCount } from '../results/schema/calls.ts'

/** Errors kept apart, per operation. A server with a thousand different codes must not fill our memory. */
export const mostErrors = 50
const longestMessage = 500

/** An error in a sentence. Drivers begin some messages with the name of the error. */
export function errorText({ code, name, message }: Pick<ErrorCount, 'code' | 'name' | 'message'>): string {
  const reason = message.startsWith(`${name}: `) ? message.slice(name.length + 2) : message
  return `${code === name ? name : `${name} (${code})`}: ${reason}`
}

/** What went wrong with an operation, by outcome, code and labels, with the first message of each. */
export class ErrorCounts {
  readonly #kinds = new Map<string, ErrorCount>()

  add({ kind, code, name, message, labels }: Failure): void {
    const key = `${kind} ${code} ${labels.join(' ')}`
    const known = this.#kinds.get(key)
    if (known) known.count += 1
    else if (this.#kinds.size < mostErrors) {
      this.#kinds.set(key, {
        code,
        name,
        outcome: kind,
        labels: [...labels],
        count: 1,
        message: message.slice(0, longestMessage),
      })
    } else this.#addOther(kind)
  }

  /** The most frequent first. */
  list(): ErrorCount[] {
    return [...this.#kinds.values()].toSorted((one, other) => other.count - one.count)
  }

  #addOther(outcome: 'failed' | 'unknown'): void {
    const other = this.#kinds.get(outcome)
    if (other) other.count += 1
    else {
      const message = `More than ${mostErrors} different errors, the rest counted here`
      this.#kinds.set(outcome, { code: 'other', name: 'Other', outcome, labels: [], count: 1, message })
    }
  }
}
