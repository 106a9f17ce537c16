import { Problem } from '../../core/errors.ts'

/** The problem of an engine that cannot connect to a server. */
export function unreachable(error: unknown): Problem {
  if (error instanceof Problem) return error
  const reason = error instanceof Error ? error.message : 'no reason'
  return new Problem('target-unreachable', `The server cannot be used: ${reason}`, {
    hint: 'Check that it runs, that this machine can reach it, and user, password and TLS options of the URI.',
  })
}
