import { type StatusWriter } from './terminal/status-writer.ts'

/**
 * The process as a command sees it: its environment, its output and its signals. Passed in, so that tests need no spies.
 * `printStatus` and `rewrite` are for users: progress, warnings and errors.
 */
export type CliContext = StatusWriter & {
  /** Prints what programs read: reports, lists, schemas. */
  readonly print: (text: string) => void
  readonly env: Readonly<Record<string, string | undefined>>
  /** All URIs that this process was given: they must not appear in any output. */
  readonly uris: readonly string[]
  /** Aborted by the first Ctrl-C, to end the phase and keep its result. Until a command reads it, a Ctrl-C ends the process at once. */
  readonly stop: AbortSignal
  /** Sets the exit code for a command that does not throw. The worst of several is kept. */
  readonly exitWith: (code: number) => void
}
