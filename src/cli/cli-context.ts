import { type StatusWriter } from './status-writer.ts'

/**
 * What a command may see of the process that it runs in, and where its words go. Handed in, so that tests need no spy.
 * For people: progress, warnings, errors, by `tell` and `rewrite`.
 */
export type CliContext = StatusWriter & {
  /** For programs: the report, lists, schemas. */
  readonly print: (text: string) => void
  readonly env: Readonly<Record<string, string | undefined>>
  /** Every URI that this process was given, however it was given: what must get into no output. */
  readonly uris: readonly string[]
  /** Aborted by the first Ctrl-C: end the phase, keep what there is. Until a command asks for it, a Ctrl-C ends the process at once. */
  readonly stop: AbortSignal
  /** The exit code, when nothing is thrown. The worst of several is kept. */
  readonly exitWith: (code: number) => void
}
