import { Problem, problems } from '../errors.ts'
import { type World } from './world.ts'

/** The one place where an error becomes text and an exit code. Loads the redactor only now: most runs have no error. */
export async function showError(error: unknown, { tell, env }: Pick<World, 'tell' | 'env'>): Promise<number> {
  const { redact, secretsOf } = await import('../targets/redact.ts')
  const secrets = Object.entries(env).flatMap(([name, value]) => (name.startsWith('MONGO_PERF_URI') && value ? secretsOf(value) : []))
  if (!(error instanceof Problem)) {
    const stack = error instanceof Error ? (error.stack ?? error.message) : String(error)
    tell(`This is a bug in mongo-perf, please report it.\n${redact(stack, secrets)}\n`)
    return 1
  }
  // Lines that begin with a place in a file are read by editors and CI as they are.
  const lead = error.code === 'spec-invalid' ? '' : 'error: '
  tell(`${lead}${redact(error.message, secrets)}\nhint: ${redact(error.hint, secrets)}\n`)
  return problems[error.code].exitCode
}
