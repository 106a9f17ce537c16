import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { Problem } from '../../../../core/errors.ts'
import { type Machine } from '../../../machine.ts'
import { checkBinary, isVersion, type SoughtProgram } from './check-binary.ts'

export type WantedBinary = {
  /** A path: this binary and no other. */
  readonly binary?: string | undefined
  /** "6.0" or "8.0.4". */
  readonly version?: string | undefined
  /** For a `mongos`: the path of the mongod that its cluster is made of. Packages bring both. */
  readonly mongod?: string | undefined
}

/** Binaries worth a try, best first, or why there is none. */
export type Lookup = { readonly paths: readonly string[] } | { readonly nothing: string }

/** Version that can be fetched, in words for people. */
export type Offer = { readonly fetches: string } | { readonly nothing: string }

/** A program that is being fetched: minutes on a slow line. */
export type Fetching = {
  /** "mongod 6.0.5" */
  readonly what: string
  readonly megabytes: number
  /** Share that has come, 0 to 1. Null: not known. */
  readonly share: number | null
}

/** The machine, the abort signal and the log of a search for a binary. */
export type FindContext = {
  readonly machine: Machine
  readonly signal: AbortSignal
  readonly log: (message: string) => void
  /** A program is being fetched; 1 is the last share. Default: it is not shown. */
  readonly onFetch?: ((fetching: Fetching) => void) | undefined
}

/** One place that may have a program that we start. */
export type Source = {
  /** Name as `doctor` prints it. */
  readonly name: string
  readonly look: (wanted: WantedBinary, context: FindContext) => Promise<Lookup>
  /** Version that it would fetch, or why none. Absent: it only looks at this machine. */
  readonly offer?: (machine: Machine) => Offer
}

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

/** How one of the programs is looked for. */
export type ProgramSearch = {
  readonly program: SoughtProgram
  /** Sources in the order in which they are asked, a path that was named first. The first binary that runs is taken. */
  readonly sources: readonly Source[]
  /** The message when no source has one. */
  readonly noneFound: (wanted: WantedBinary, tried: readonly Tried[], machine: Machine) => Problem
}

/** Finds a program that runs on this machine and has the wanted version, fetching one where a source can. */
export async function findProgram(
  { program, sources, noneFound }: ProgramSearch,
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
  throw noneFound(wanted, tried, context.machine)
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
  for (const file of lookup.paths) {
    const check = await checkBinary(program, file, context.machine, context.signal)
    if ('reason' in check) reasons.push(check.reason)
    else if (isVersion(check.version, wanted.version)) return { path: file, version: check.version }
    else reasons.push(`${file} is ${check.version}, not ${wanted.version}`)
  }
  return { reason: reasons.join('; ') }
}

/** Report of a source about one binary, or about itself. */
export type ListedBinary = { readonly source: string } & (
  | { readonly kind: 'runs'; readonly path: string; readonly version: string }
  /** The reason begins with the path. */
  | { readonly kind: 'broken'; readonly reason: string }
  | { readonly kind: 'nothing'; readonly reason: string }
  /** Version that it would fetch when a run needs it. */
  | { readonly kind: 'fetches'; readonly fetches: string }
)

/** Lists every binary that the sources have on this machine, in the order in which a run tries them. Nothing is fetched, and paths in specs are not known here. */
export async function listProgram(
  { program, sources }: Pick<ProgramSearch, 'program' | 'sources'>,
  wanted: WantedBinary,
  context: FindContext,
): Promise<readonly ListedBinary[]> {
  const listed: ListedBinary[] = []
  for (const source of sources.slice(1)) listed.push(...(await listSource(program, source, wanted, context)))
  return listed
}

async function listSource(
  program: SoughtProgram,
  { name, look, offer }: Source,
  wanted: WantedBinary,
  context: FindContext,
): Promise<readonly ListedBinary[]> {
  const lookup = offer === undefined ? await look(wanted, context) : offer(context.machine)
  if ('nothing' in lookup) return [{ source: name, kind: 'nothing', reason: lookup.nothing }]
  if ('fetches' in lookup) return [{ source: name, kind: 'fetches', fetches: lookup.fetches }]
  return await Promise.all(
    lookup.paths.map(async (file): Promise<ListedBinary> => {
      const check = await checkBinary(program, file, context.machine, context.signal)
      return 'version' in check
        ? { source: name, kind: 'runs', path: file, version: check.version }
        : { source: name, kind: 'broken', reason: check.reason }
    }),
  )
}

/** Lists the files named "<program>-…-<version>" in a folder, newest version first. A folder that is not there has none. */
export async function listBinaries(folder: string, program: SoughtProgram): Promise<string[]> {
  const names = await readdir(folder).catch(() => [])
  return names
    .flatMap((name) => {
      const version = name.startsWith(`${program}-`) ? /(\d+\.\d+\.\d+(?:-\w+)?)(?:\.exe)?$/.exec(name)?.[1] : undefined
      return version === undefined ? [] : [{ name, version }]
    })
    .toSorted((a, b) => b.version.localeCompare(a.version, 'en', { numeric: true }))
    .map(({ name }) => path.join(folder, name))
}
