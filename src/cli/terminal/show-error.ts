import { CommanderError } from 'commander'
import { Problem, problems } from '../../core/errors.ts'
import { nearest } from '../../core/nearest.ts'
import { codeFolder } from '../../core/package-root.ts'
import { asQueueProblem } from '../../run/agents/redis-failures.ts'
import { type CliContext } from '../cli-context.ts'

/** Whether JSON is asked for, so that errors are JSON too. @param usual The format where the arguments name none. */
export const asksForJson = (args: readonly string[], usual?: string): boolean =>
  (/(?:^| )--format[ =](\S+)/.exec(args.join(' '))?.[1] ?? usual) === 'json'

type ErrorContext = Pick<CliContext, 'printStatus' | 'uris' | 'errorsAsJson'>

/** Prints an error and returns its exit code. The only place that does so. */
export async function showError(thrown: unknown, context: ErrorContext): Promise<number> {
  if (!(thrown instanceof Error && 'suppressed' in thrown && 'error' in thrown)) return await showOne(thrown, context)
  // Leaving failed too, which is an error by itself.
  const { error, suppressed } = thrown
  if (String(error) !== String(suppressed)) await showError(suppressed, context)
  return await showError(error, context)
}

async function showOne(thrown: unknown, { printStatus, uris, errorsAsJson }: ErrorContext): Promise<number> {
  const show = (lead: string, { code, message, hint }: Pick<Problem, 'code' | 'message' | 'hint'>): number => {
    printStatus(errorsAsJson ? `${JSON.stringify({ code, message, hint })}\n` : `${lead}${message}\nhint: ${hint}\n`)
    return problems[code].exitCode
  }
  // Before anything is imported, which would fail too.
  if (isMissingFile(thrown)) return show('error: ', replacedMeanwhile)
  const error = asQueueProblem(thrown)
  // Commander has already shown the help, on request or because there was no command.
  if (error instanceof CommanderError && isHelp(error)) return error.exitCode === 0 ? 0 : problems.usage.exitCode
  // Imported only now: most runs have no error.
  const { redact, redactQuote, findSecrets: secretsOf } = await import('../../servers/targets/connection/redact.ts')
  const secrets = uris.flatMap(secretsOf)
  const safe = (text: string): string => redact(text, secrets)
  if (error instanceof CommanderError) {
    const message = error.message.replace(/^error: /, '')
    const lead = message === error.message ? '' : 'error: '
    return show(lead, { code: 'usage', message: safe(message), hint: safe(await findUsageHint(error)) })
  }
  if (error instanceof Problem)
    return show(hasPosition(error) ? '' : 'error: ', {
      code: error.code,
      message: safe(error.message),
      hint: safe(error.hint),
    })
  const { readSourceMaps, showSourceLines } = await import('./source-lines.ts')
  const stack = showSourceLines(formatStack(error), codeFolder, readSourceMaps(codeFolder))
  const [message, quoted] = [
    'This is a bug in mongo-perf, please report it.',
    redact(redactQuote(stack, secrets), secrets),
  ]
  printStatus(errorsAsJson ? `${JSON.stringify({ code: 'bug', message, hint: quoted })}\n` : `${message}\n${quoted}\n`)
  return 1
}

/** Whether a message begins with a position in a file, as editors and CI parse it. */
const hasPosition = ({ code, message }: Problem): boolean =>
  ['spec-invalid', 'refused', 'document-invalid', 'result-unreadable'].includes(code) && /^[^\n]*?:\d+: /.test(message)

const replacedMeanwhile = {
  code: 'not-measurable-here',
  message: 'The files of mongo-perf were replaced or removed while it ran',
  hint: 'Run the command again. `mongo-perf run` keeps the rows that are done with --resume.',
} as const

/** Whether a module of the program itself could not be loaded. */
const isMissingFile = (error: unknown): boolean =>
  error instanceof Error && error.message.startsWith(`Cannot find module '${codeFolder}`)

/** Returns the hint for usage errors: users of YCSB try its option for property files, and many forget `run`. */
async function findUsageHint({ message }: CommanderError): Promise<string> {
  if (message.includes("unknown option '-p'"))
    return '--set name=value sets a parameter; `mongo-perf import ycsb FILE -p name=value` writes a spec with other properties'
  const [, command = ''] = /unknown command '(.+?)'/.exec(message) ?? []
  const { shippedNames } = await import('../specs/find-specs.ts')
  if (command.endsWith('.json') || (await shippedNames()).includes(command))
    return `\`mongo-perf run ${command}\` runs this spec`
  const meant = findMeantChoice(message)
  return meant === undefined ? '--help shows what there is' : `Did you mean "${meant}"?`
}

function findMeantChoice(message: string): string | undefined {
  const [, given = '', choices = ''] = /'(.+?)' is invalid .*Allowed choices are (.+)\.$/.exec(message) ?? []
  return nearest(given, choices.split(', '))
}

const isHelp = ({ code }: CommanderError): boolean => code.startsWith('commander.help') || code === 'commander.version'

const formatStack = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error)
