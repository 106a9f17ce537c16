import { MongoServerError } from 'mongodb'
import { Problem } from '../../core/errors.ts'

/** Refusals that have nothing to do with what the spec says: Unauthorized, AuthenticationFailed. */
const refusedUsers: ReadonlySet<unknown> = new Set([13, 18])

/** A server that is there and says no (a validator, an index that cannot be, a key that stands twice) says no to the spec. */
export async function explained<Reply>(what: string, call: Promise<Reply>): Promise<Reply> {
  try {
    return await call
  } catch (error) {
    if (!(error instanceof MongoServerError) || refusedUsers.has(error.code)) throw error
    if (error.hasErrorLabel('RetryableWriteError')) throw error
    throw new Problem('spec-invalid', `The server refused ${what}: ${error.message}`, {
      hint: 'Correct "data" in the spec.',
    })
  }
}
