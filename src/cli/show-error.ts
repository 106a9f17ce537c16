import { CommanderError } from 'commander'
import { Problem, problems } from '../errors.ts'
import { type CliContext } from './cli-context.ts'

/** The one place where an error becomes text and an exit code. */
export async function showError(
  error: unknown,
  { printStatus, uris }: Pick<CliContext, 'printStatus' | 'uris'>,
): Promise<number> {
  // Commander has shown the help already, be it asked for or for want of a command.
  if (error instanceof CommanderError && isHelp(error)) return error.exitCode === 0 ? 0 : problems.usage.exitCode
  // Loaded only now: most runs have no error.
  const { redact, redactQuote, secretsOf } = await import('../targets/redact.ts')
  const secrets = uris.flatMap(secretsOf)
  const show = (text: string): void => printStatus(`${redact(text, secrets)}\n`)

  if (error instanceof CommanderError) {
    show(`${error.message}\nhint: --help shows what there is`)
    return problems.usage.exitCode
  }
  if (error instanceof Problem) {
    // Lines that begin with a place in a file are read by editors and CI as they are.
    const isOfFile = ['spec-invalid', 'refused', 'document-invalid'].includes(error.code)
    const lead = isOfFile && /^[^\n]*?:\d+: /.test(error.message) ? '' : 'error: '
    show(`${lead}${error.message}\nhint: ${error.hint}`)
    return problems[error.code].exitCode
  }
  show(`This is a bug in mongo-perf, please report it.\n${redactQuote(stackOf(error), secrets)}`)
  return 1
}

const isHelp = ({ code }: CommanderError): boolean => code.startsWith('commander.help') || code === 'commander.version'

const stackOf = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error))
