import { Problem } from '../../../core/errors.ts'
import { checkBinary, isVersion, type SoughtProgram } from './check-binary.ts'
import { type Machine } from './machine.ts'
import { type Source, type WantedBinary } from './sources/source.ts'

/** A server binary that runs, with its version and the source that it comes from. */
export type FoundBinary = {
  readonly path: string
  readonly version: string
  /** Name of the source that had it. */
  readonly source: string
  /** The sources before it, and why they were of no use. */
  readonly tried: readonly Tried[]
}

/** A source without a usable binary, and the reason. */
export type Tried = { readonly source: string; readonly reason: string }

/** The machine, the abort signal and the log of a search for a binary. */
export type FindContext = {
  readonly machine: Machine
  readonly signal: AbortSignal
  readonly log: (message: string) => void
}

/** How one of the programs is looked for. */
export type BinarySearch = {
  readonly program: SoughtProgram
  /** In the order in which they are asked, a path that was named first. The first binary that runs is taken. */
  readonly sources: readonly Source[]
  /** The message when no source has one. */
  readonly noneFound: (wanted: WantedBinary, tried: readonly Tried[]) => Problem
}

/** Finds a program that runs on this machine and has the wanted version, fetching one where a source can. */
export async function findBinary(
  { program, sources, noneFound }: BinarySearch,
  wanted: WantedBinary,
  context: FindContext,
): Promise<FoundBinary> {
  const tried: Tried[] = []
  // Whoever names a binary wants to measure that one: another in its place would be measured under a false name.
  for (const source of wanted.binary === undefined ? sources : sources.slice(0, 1)) {
    const answer = await askSource(program, source, wanted, context)
    if (context.signal.aborted)
      throw new Problem('aborted', `Stopped while looking for a ${program}`, { hint: 'Run again.' })
    if ('path' in answer) return { ...answer, source: source.name, tried }
    tried.push({ source: source.name, reason: answer.reason })
  }
  throw noneFound(wanted, tried)
}

type Answer = { readonly path: string; readonly version: string } | { readonly reason: string }

async function askSource(
  program: SoughtProgram,
  source: Source,
  wanted: WantedBinary,
  context: FindContext,
): Promise<Answer> {
  const lookup = await source.look(wanted, context)
  if ('nothing' in lookup) return { reason: lookup.nothing }
  const reasons: string[] = []
  for (const path of lookup.paths) {
    const check = await checkBinary(program, path, context.machine, context.signal)
    if ('reason' in check) reasons.push(check.reason)
    else if (isVersion(check.version, wanted.version)) return { path, version: check.version }
    else reasons.push(`${path} is ${check.version}, not ${wanted.version}`)
  }
  return { reason: reasons.join('; ') }
}
