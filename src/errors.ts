/** Every exit code, and what it tells a script. */
export const exitCodes = {
  0: 'done',
  1: 'a bug in mongo-perf',
  2: 'bad spec or usage',
  3: 'refused for safety',
  4: 'no server to start, unreachable, or not measurable here',
  5: 'threshold missed, or a document that is older than its results',
  6: 'a check was violated',
  7: 'done, but operations failed and no threshold says how many may',
  130: 'aborted',
} as const

export type ExitCode = keyof typeof exitCodes

/** From the mildest to the worst: of several specs in one run, the worst end is the one that a script sees. */
export const bySeverity: readonly number[] = [0, 7, 4, 5, 6, 3, 2, 1, 130] satisfies readonly ExitCode[]

export const worseExit = (one: number, other: number): number =>
  bySeverity.indexOf(one) > bySeverity.indexOf(other) ? one : other

/** Every way the tool can fail on purpose, and the exit code that a script sees. */
export const problems = {
  'spec-unreadable': { exitCode: 2 },
  'spec-invalid': { exitCode: 2 },
  usage: { exitCode: 2 },
  refused: { exitCode: 3 },
  'target-unreachable': { exitCode: 4 },
  'no-server': { exitCode: 4 },
  'not-measurable-here': { exitCode: 4 },
  'result-unreadable': { exitCode: 2 },
  'output-unwritable': { exitCode: 2 },
  'document-invalid': { exitCode: 2 },
  aborted: { exitCode: 130 },
} as const satisfies Record<string, { exitCode: ExitCode }>

export type ProblemCode = keyof typeof problems

/** A failure that we can explain. Anything else that is thrown is a bug in this tool. */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly code: ProblemCode
  /** What to do next, in sentence case, ready to be printed. */
  readonly hint: string

  constructor(code: ProblemCode, message: string, { hint, cause }: { hint: string; cause?: unknown }) {
    super(message, { cause })
    this.code = code
    this.hint = hint
  }
}

/** An option of the command line that changes a spec, and what of it the spec does not have. */
export type UnmatchedOption = {
  readonly option: 'set' | 'only' | 'threshold'
  /** The name of the parameter, the row, or the threshold. */
  readonly given: string
  /** In short, of one spec among others: "no such parameter". */
  readonly reason: string
  /** What it could have named. */
  readonly known: readonly string[]
}

/** One spec has no use for an option. Of several specs in one run, another may. */
export class Unmatched extends Problem {
  readonly unmatched: readonly UnmatchedOption[]

  constructor(unmatched: readonly UnmatchedOption[], message: string, { hint }: { hint: string }) {
    super('usage', message, { hint })
    this.unmatched = unmatched
  }
}
