import { type SoughtProgram } from '../check-binary.ts'
import { type Machine } from '../machine.ts'

/** The binary to find, by path or by version. */
export type WantedBinary = {
  /** A path: this binary and no other. */
  readonly binary?: string | undefined
  /** "6.0" or "8.0.4". */
  readonly version?: string | undefined
}

/** Binaries worth a try, best first, or why there is none. */
export type Lookup = { readonly paths: readonly string[] } | { readonly nothing: string }

/** What can be fetched, in words for people. */
export type Offer = { readonly fetches: string } | { readonly nothing: string }

/** One place that may have a program that we start. */
export type Source = {
  /** As `doctor` prints it. */
  readonly name: string
  readonly look: (
    wanted: WantedBinary,
    context: { readonly machine: Machine; readonly signal: AbortSignal; readonly log: (message: string) => void },
  ) => Promise<Lookup>
  /** What it would fetch, or why nothing. Absent: it only looks at this machine. */
  readonly offer?: (machine: Machine) => Offer
}

/** The name of its file. */
export const programFile = (program: SoughtProgram, { platform }: Machine): string =>
  platform === 'win32' ? `${program}.exe` : program
