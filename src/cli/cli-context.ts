import { type TextLine } from '../report/formats/text-blocks.ts'
import { type Config } from './options/config-file.ts'
import { type StatusWriter } from './terminal/status-writer.ts'

/** The standard output, for reports that are laid out for it. */
export type Screen = {
  readonly isTerminal: boolean
  /** Characters of a line; 80 where it is no terminal. */
  readonly columns: number
  /** Gives a line its colour, and its link. The text is printable already. */
  readonly show: (line: TextLine) => string
}

/** The standard output where it is no terminal. */
export const plainScreen: Screen = { isTerminal: false, columns: 80, show: ({ text }) => text }

/**
 * The process as a command sees it: its environment, its output and its signals. Passed in, so that tests need no spies.
 * `printStatus` and `rewrite` are for users: progress, warnings and errors.
 */
export type CliContext = StatusWriter & {
  /** Prints what programs read: reports, lists, schemas. */
  readonly print: (text: string) => void
  /** Prints a report for people, with colours where the terminal has them. */
  readonly printLines: (lines: readonly TextLine[]) => void
  readonly screen: Screen
  readonly env: Readonly<Record<string, string | undefined>>
  /** The defaults of the project. Undefined: it has none, or no command runs yet. */
  readonly config: Config | undefined
  /** Whether errors are JSON objects, one a line. */
  readonly errorsAsJson: boolean
  /** All URIs that this process was given: they must not appear in any output. */
  readonly uris: readonly string[]
  /** Aborted by the first Ctrl-C, to end the phase and keep its result. Until a command reads it, a Ctrl-C ends the process at once. */
  readonly stop: AbortSignal
  /** Sets the exit code for a command that does not throw. The worst of several is kept. */
  readonly exitWith: (code: number) => void
}

export const printJson = (value: unknown, { print }: Pick<CliContext, 'print'>): void =>
  print(`${JSON.stringify(value, null, 2)}\n`)
