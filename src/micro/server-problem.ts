import { Problem } from '../errors.ts'
import { redact, secretsOf } from '../targets/redact.ts'

/** What the driver says about a server is foreseen; the rest is a bug and keeps its stack. No `cause`: it may hold the URI. */
export function asServerProblem(error: unknown, uri: string): unknown {
  if (!(error instanceof Error) || !error.name.startsWith('Mongo')) return error
  return new Problem(
    'target-unreachable',
    `The server could not be used: ${redact(error.message, [uri, ...secretsOf(uri)])}`,
    { hint: 'Check that it runs, and that the user of the URI may read and write in mongoperf_micro.' },
  )
}
