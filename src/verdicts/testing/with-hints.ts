import { Problem } from '../../core/errors.ts'

/** Does something, and adds the hint of a problem to its message, because test runners print no other property of an error. */
export async function withHints<Found>(work: () => Promise<Found>): Promise<Found> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Problem) || error.message.endsWith(error.hint)) throw error
    const { code, message, hint, cause } = error
    throw new Problem(code, `${message}\n${hint}`, { hint, cause })
  }
}
