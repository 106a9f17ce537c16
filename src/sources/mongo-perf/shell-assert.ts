import { isDeepStrictEqual } from 'node:util'
import { toJson } from './to-json.ts'

type Assertion = (...args: readonly unknown[]) => unknown

/** What a failed assertion throws. Not the error of the shell: its text is all that is shown. */
const failed = (what: string, message: unknown): Error =>
  new Error(`assert.${what} failed${typeof message === 'string' ? `: ${message}` : ''}`)

const compared =
  (what: string, holds: (one: number, other: number) => boolean): Assertion =>
  (one, other, message) => {
    if (!holds(one as number, other as number)) throw failed(what, message)
  }

const isEqual = (one: unknown, other: unknown): boolean =>
  one === other || isDeepStrictEqual(toJson(one), toJson(other))

/** Commands are recorded and not run, so there is nothing that could have failed. */
const worked: Assertion = (reply) => reply

const assert: Assertion = (condition, message) => {
  if (!condition) throw failed('assert', message)
}

/** `assert` of the shell, without what asks a server. */
export const shellAssert: Assertion = Object.assign(assert, {
  eq(one: unknown, other: unknown, message?: unknown) {
    if (!isEqual(one, other)) throw failed('eq', message)
  },
  neq(one: unknown, other: unknown, message?: unknown) {
    if (isEqual(one, other)) throw failed('neq', message)
  },
  lt: compared('lt', (one, other) => one < other),
  lte: compared('lte', (one, other) => one <= other),
  gt: compared('gt', (one, other) => one > other),
  gte: compared('gte', (one, other) => one >= other),
  contains(item: unknown, list: readonly unknown[], message?: unknown) {
    if (!list.some((other) => isEqual(item, other))) throw failed('contains', message)
  },
  commandWorked: worked,
  writeOK: worked,
})
