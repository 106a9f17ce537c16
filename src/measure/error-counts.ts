import { type Failure } from '../engines/engine.ts'
import { type ErrorCount } from '../results/schema.ts'

/** Codes kept apart, per operation. A server with a thousand different codes must not fill our memory. */
export const mostCodes = 50
const longestMessage = 500

/** An error in a sentence. Drivers begin some messages with the name of the error. */
export function errorText({ code, name, message }: Pick<ErrorCount, 'code' | 'name' | 'message'>): string {
  const reason = message.startsWith(`${name}: `) ? message.slice(name.length + 2) : message
  return `${code === name ? name : `${name} (${code})`}: ${reason}`
}

/** What went wrong with an operation, by outcome and code, with the first message of each. */
export class ErrorCounts {
  readonly #byCode = new Map<string, ErrorCount>()

  add({ kind, code, name, message }: Failure): void {
    const key = `${kind} ${code}`
    const known = this.#byCode.get(key)
    if (known) known.count += 1
    else if (this.#byCode.size < mostCodes) {
      this.#byCode.set(key, { code, name, outcome: kind, count: 1, message: message.slice(0, longestMessage) })
    } else this.#addOther(kind)
  }

  /** The most frequent first. */
  list(): ErrorCount[] {
    return [...this.#byCode.values()].toSorted((one, other) => other.count - one.count)
  }

  #addOther(outcome: 'failed' | 'unknown'): void {
    const other = this.#byCode.get(outcome)
    if (other) other.count += 1
    else {
      const message = `More than ${mostCodes} different errors, the rest counted here`
      this.#byCode.set(outcome, { code: 'other', name: 'Other', outcome, count: 1, message })
    }
  }
}
