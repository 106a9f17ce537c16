/** All exit codes and their meanings for a script. */
export const exitCodes = {
  0: 'done',
  1: 'a bug in mongo-perf',
  2: 'bad spec or usage',
  3: 'refused for safety',
  4: 'no server to start, unreachable, or not measurable here',
  5: 'threshold missed, no rate held (`size`), B worse, or a stale document',
  6: 'a check was violated',
  7: 'done, but operations or faults failed that no threshold allows',
  130: 'aborted',
} as const

export type ExitCode = keyof typeof exitCodes

/** Exit codes from the mildest to the worst: of several specs in one run, the worst one counts. */
export const bySeverity: readonly number[] = [0, 7, 4, 5, 6, 3, 2, 1, 130] satisfies readonly ExitCode[]

/** The worse of two exit codes. */
export const worseExit = (one: number, other: number): number =>
  bySeverity.indexOf(one) > bySeverity.indexOf(other) ? one : other

/** All foreseen failures and their exit codes. */
export const problems = {
  'spec-unreadable': { exitCode: 2 },
  'spec-invalid': { exitCode: 2 },
  usage: { exitCode: 2 },
  refused: { exitCode: 3 },
  'target-unreachable': { exitCode: 4 },
  'no-server': { exitCode: 4 },
  'not-measurable-here': { exitCode: 4 },
  'agents-unavailable': { exitCode: 4 },
  'result-unreadable': { exitCode: 2 },
  'recording-unreadable': { exitCode: 2 },
  'output-unwritable': { exitCode: 2 },
  'disk-full': { exitCode: 4 },
  'no-canvas': { exitCode: 4 },
  'document-invalid': { exitCode: 2 },
  aborted: { exitCode: 130 },
} as const satisfies Record<string, { exitCode: ExitCode }>

/** The code of a foreseen failure. */
export type ProblemCode = keyof typeof problems

/** A foreseen failure. Anything else that is thrown is a bug in this tool. */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly code: ProblemCode
  /** Next step for the user, in sentence case, ready to be printed. */
  readonly hint: string

  constructor(code: ProblemCode, message: string, { hint, cause }: { hint: string; cause?: unknown }) {
    super(message, { cause })
    this.code = code
    this.hint = hint
    // Some test runners print no other property of an error.
    if (this.stack && !message.endsWith(hint)) this.stack = this.stack.replace(message, () => `${message}\n${hint}`)
  }
}

/**
 * Makes a function of the package say the hint of a problem in its message too: test runners show no other property of an error. What it
 * returns and throws is otherwise unchanged.
 */
export function withHints<Args extends readonly unknown[], Found>(
  call: (...args: Args) => Found,
): (...args: Args) => Found {
  return (...args) => {
    try {
      const found = call(...args)
      return found instanceof Promise ? (found.catch(throwWithHint) as Found) : found
    } catch (error) {
      return throwWithHint(error)
    }
  }
}

function throwWithHint(error: unknown): never {
  if (error instanceof Problem && !error.message.endsWith(error.hint)) error.message += `\n${error.hint}`
  throw error
}

/** A hint without the sentences about --resume, which only `run` has. @param otherwise What is said if nothing else is left. */
export const hintWithoutResume = (hint: string, otherwise: string): string =>
  hint
    .split(/(?<=\.) /)
    .filter((sentence) => !sentence.includes('--resume'))
    .join(' ') || otherwise

/** The code of a call of the system that failed ("ENOSPC"), for a message; what an error without a code says itself. */
export function describeErrorCode(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message
}

/** An option of the command line that does not apply to a spec. */
export type UnmatchedOption = {
  readonly option: 'set' | 'only' | 'threshold'
  /** The name of the parameter, the row, or the threshold. */
  readonly given: string
  /** Short, for a list of several specs: "no such parameter". */
  readonly reason: string
  /** The names that the spec has. */
  readonly known: readonly string[]
}

/** Thrown for options that do not apply to a spec. They may apply to another spec of the same run. */
export class Unmatched extends Problem {
  readonly unmatched: readonly UnmatchedOption[]

  constructor(unmatched: readonly UnmatchedOption[], message: string, { hint }: { hint: string }) {
    super('usage', message, { hint })
    this.unmatched = unmatched
  }
}
