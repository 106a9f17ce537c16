import { CommanderError } from 'commander'
import { Problem, problems } from '../../core/errors.ts'
import { codeFolder } from '../../core/package-root.ts'
import { asQueueProblem } from '../../run/agents/redis-failures.ts'
import { type CliContext } from '../cli-context.ts'

/** Prints an error and returns its exit code. The only place that does so. */
export async function showError(
  thrown: unknown,
  { printStatus, uris }: Pick<CliContext, 'printStatus' | 'uris'>,
): Promise<number> {
  const error = asQueueProblem(thrown)
  // Commander has already shown the help, on request or because there was no command.
  if (error instanceof CommanderError && isHelp(error)) return error.exitCode === 0 ? 0 : problems.usage.exitCode
  // Imported only now: most runs have no error.
  const { redact, redactQuote, findSecrets: secretsOf } = await import('../../servers/targets/connection/redact.ts')
  const secrets = uris.flatMap(secretsOf)
  const show = (text: string): void => printStatus(`${redact(text, secrets)}\n`)

  if (error instanceof CommanderError) {
    show(`${error.message}\nhint: ${usageHint(error)}`)
    return problems.usage.exitCode
  }
  if (error instanceof Problem) {
    // Editors and CI parse lines that begin with a position in a file.
    const isOfFile = ['spec-invalid', 'refused', 'document-invalid', 'result-unreadable'].includes(error.code)
    const lead = isOfFile && /^[^\n]*?:\d+: /.test(error.message) ? '' : 'error: '
    show(`${lead}${error.message}\nhint: ${error.hint}`)
    return problems[error.code].exitCode
  }
  const { readSourceMaps, showSourceLines } = await import('./source-lines.ts')
  const stack = showSourceLines(formatStack(error), codeFolder, readSourceMaps(codeFolder))
  show(`This is a bug in mongo-perf, please report it.\n${redactQuote(stack, secrets)}`)
  return 1
}

/** Returns the hint for usage errors: users of YCSB try its option for property files. */
const usageHint = ({ message }: CommanderError): string =>
  message.includes("unknown option '-p'")
    ? '--set name=value sets a parameter; `mongo-perf import ycsb FILE -p name=value` writes a spec with other properties'
    : '--help shows what there is'

const isHelp = ({ code }: CommanderError): boolean => code.startsWith('commander.help') || code === 'commander.version'

const formatStack = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error)
