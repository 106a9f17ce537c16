/** What a command may see of the process that it runs in, and where its words go. Handed in, so that tests need no spy. */
export type World = {
  /** For programs: the report, lists, schemas. */
  readonly print: (text: string) => void
  /** For people: progress, warnings, errors. */
  readonly tell: (text: string) => void
  readonly env: Readonly<Record<string, string | undefined>>
  /** Whether `tell` reaches a terminal that can rewrite its last line. */
  readonly isTerminal: boolean
  readonly columns: number
  /** Aborted by the first Ctrl-C: end the phase, keep what there is. */
  readonly stop: AbortSignal
  /** Aborted by the second: end what we started at once. */
  readonly hurry: AbortSignal
  /** The exit code, when nothing is thrown. The worst of several is kept. */
  readonly exitWith: (code: number) => void
}
