import { existsSync } from 'node:fs'
import path from 'node:path'
import { Problem } from '../../../core/errors.ts'
import { findBinary, type FindContext, type FoundBinary, type Tried } from './find-binary.ts'
import { fromVariable } from './sources/environment-variable.ts'
import { namedPath } from './sources/given-path.ts'
import { onPath } from './sources/search-path.ts'
import { programFile, type Source, type WantedBinary } from './sources/source.ts'

/** The `mongos` to find: its path or version, and the `mongod` of its cluster. */
export type WantedMongos = WantedBinary & {
  /** Path of the mongod that its cluster is made of: packages bring both. */
  readonly mongod?: string | undefined
}

/** In the order in which they are asked. None of them fetches one. */
export const mongosSources = (mongod: string | undefined): readonly Source[] => [
  namedPath('path in the spec'),
  fromVariable('MONGO_PERF_MONGOS'),
  besideMongod(mongod),
  onPath('mongos'),
]

/** Finds a `mongos` that runs on this machine and has the wanted version. */
export const findMongos = ({ mongod, ...wanted }: WantedMongos, context: FindContext): Promise<FoundBinary> =>
  findBinary({ program: 'mongos', sources: mongosSources(mongod), noneFound }, wanted, context)

/** All in one line, which becomes the reason in a report. */
function noneFound({ version }: WantedBinary, tried: readonly Tried[]): Problem {
  const reasons = tried.map(({ source, reason }) => `${source}: ${reason}`).join('; ')
  const program = version === undefined ? 'mongos' : `mongos ${version}`
  return new Problem(
    'not-measurable-here',
    `A sharded cluster needs a router, and no ${program} was found (${reasons})`,
    {
      hint: 'Have a mongos on the PATH (the package mongodb-org-mongos has one), or name it in MONGO_PERF_MONGOS or as "binary" under "router" of the target; the npm package mongodb-runner downloads one. Or measure a cluster that runs, with --uri.',
    },
  )
}

/** A `mongos` in the folder of a `mongod`: what is unpacked or installed by hand has both. */
const besideMongod = (mongod: string | undefined): Source => ({
  name: 'mongos beside the mongod',
  look: async (_wanted, { machine }) => {
    if (mongod === undefined) return { nothing: 'there is no mongod' }
    const file = path.join(path.dirname(mongod), programFile('mongos', machine))
    return existsSync(file) ? { paths: [file] } : { nothing: 'none there' }
  },
})
