import { existsSync } from 'node:fs'
import path from 'node:path'
import { Problem } from '../../../../core/errors.ts'
import { requireFromPackage } from '../../../../core/package-root.ts'
import { cacheFolder } from '../../../machine.ts'
import { type ServerProgram, type SoughtProgram, checkBinary, programFile } from './check-binary.ts'
import {
  type FindContext,
  type FoundBinary,
  type ListedBinary,
  type ProgramSearch,
  type Source,
  type Tried,
  type WantedBinary,
  findProgram,
  listBinaries,
  listProgram,
} from './find-program.ts'
import { downloadByMemoryServer, isSwitchedOff, memoryServerCache, runDownload, switchedOff } from './memory-server.ts'
import { mongodWheel, redisWheel } from './python-wheel.ts'

/** An optional package of MongoDB's own, which reads the list of all releases. */
const downloader = '@mongodb-js/mongodb-downloader'

function isInstalled(): boolean {
  try {
    requireFromPackage.resolve(downloader)
    return true
  } catch {
    return false
  }
}

/**
 * Fetches the release that was asked for, of a series the newest; a `mongos` of the release of its mongod. A release brings both programs.
 * @param isThere For tests.
 */
export const downloadByPackage = (program: ServerProgram, isThere = isInstalled): Source => ({
  name: 'download by mongodb-downloader',
  offer: ({ env }) =>
    isSwitchedOff(env)
      ? switchedOff
      : isThere()
        ? { fetches: program === 'mongod' ? 'any release, of a series the newest' : 'the release of the mongod' }
        : notInstalled,
  async look({ version, mongod }, context) {
    if (isSwitchedOff(context.machine.env)) return switchedOff
    if (!isThere()) return notInstalled
    const release = version ?? (mongod === undefined ? undefined : await readVersion(mongod, context))
    if (release === undefined) return { nothing: 'no release was asked for' }
    const folder = path.join(cacheFolder(context.machine), 'releases')
    context.log(`Asking MongoDB's list of releases for ${program} ${release}`)
    const lookup = await runDownload(
      `${program} ${release}`,
      [downloader, folder, release],
      context.machine.env,
      context,
    )
    return 'nothing' in lookup
      ? lookup
      : { paths: lookup.paths.map((bin) => path.join(bin, programFile(program, context.machine))) }
  },
})

const notInstalled = { nothing: 'not installed, see mongo-perf help platforms' }

async function readVersion(mongod: string, { machine, signal }: FindContext): Promise<string | undefined> {
  const check = await checkBinary('mongod', mongod, machine, signal)
  return 'version' in check ? check.version : undefined
}

/** @param name Where people give it. */
const namedPath = (name: string): Source => ({
  name,
  look: async ({ binary }, { machine }) =>
    binary === undefined ? { nothing: 'none given' } : { paths: [path.resolve(machine.workingFolder, binary)] },
})

const fromVariable = (variable: string): Source => ({
  name: `variable ${variable}`,
  look: async (_wanted, { machine }) => {
    const binary = machine.env[variable]
    return binary ? { paths: [path.resolve(machine.workingFolder, binary)] } : { nothing: 'not set' }
  },
})

const onPath = (program: SoughtProgram): Source => ({
  name: `${program} on the PATH`,
  look: async (_wanted, { machine }) => {
    const name = programFile(program, machine)
    // Windows has "Path", and a copy of the environment minds the difference.
    const variable = machine.env['PATH'] ?? machine.env['Path'] ?? ''
    const folders = variable.split(path.delimiter).filter(Boolean)
    const paths = folders.map((folder) => path.join(folder, name)).filter((file) => existsSync(file))
    return paths.length > 0 ? { paths } : { nothing: 'none there' }
  },
})

const cached = (program: SoughtProgram): Source => ({
  name: 'cache of mongo-perf',
  look: async (_wanted, { machine }) => {
    const paths = await listBinaries(cacheFolder(machine), program)
    return paths.length > 0 ? { paths } : { nothing: 'empty' }
  },
})

/** A `mongos` in the folder of a `mongod`: what is unpacked or installed by hand has both. */
const besideMongod: Source = {
  name: 'mongos beside the mongod',
  look: async ({ mongod }, { machine }) => {
    if (mongod === undefined) return { nothing: 'there is no mongod' }
    const file = path.join(path.dirname(mongod), programFile('mongos', machine))
    return existsSync(file) ? { paths: [file] } : { nothing: 'none there' }
  },
}

/** How a system installs one, where it has a way that everybody knows. */
const installers: Partial<Readonly<Record<NodeJS.Platform, string>>> = {
  darwin: ' (brew install mongodb/brew/mongodb-community)',
  win32: ' (winget install MongoDB.Server)',
}

const formatReasons = (tried: readonly Tried[]): readonly string[] =>
  tried.map(({ source, reason }) => `${source}: ${reason}`)

/** The programs that are looked for, and the sources of each in the order in which they are asked. */
export const programs = {
  mongod: {
    program: 'mongod',
    sources: [
      namedPath('path in the spec or from --mongod'),
      fromVariable('MONGOMS_SYSTEM_BINARY'),
      onPath('mongod'),
      memoryServerCache,
      cached('mongod'),
      downloadByPackage('mongod'),
      downloadByMemoryServer,
      mongodWheel,
    ],
    noneFound: ({ binary, version }, tried, { platform }) => {
      const program = version === undefined ? 'mongod' : `mongod ${version}`
      const lines = formatReasons(tried).map((reason) => `  - ${reason}`)
      const hint =
        binary === undefined
          ? `Install MongoDB Community Server${installers[platform] ?? ''}, or give the path of a mongod with --mongod, or measure a running server with --uri.`
          : 'Correct the path or the wanted version, or leave the path out to have a mongod found; `mongo-perf list binaries` shows those that are here.'
      return new Problem('no-server', [`No ${program} can be started here:`, ...lines].join('\n'), { hint })
    },
  },
  mongos: {
    program: 'mongos',
    sources: [
      namedPath('path in the spec'),
      fromVariable('MONGO_PERF_MONGOS'),
      besideMongod,
      onPath('mongos'),
      downloadByPackage('mongos'),
    ],
    // All in one line, which becomes the reason in a report.
    noneFound: ({ version }, tried) => {
      const program = version === undefined ? 'mongos' : `mongos ${version}`
      return new Problem(
        'not-measurable-here',
        `A sharded cluster needs a router, and no ${program} was found (${formatReasons(tried).join('; ')})`,
        {
          hint: 'Have a mongos on the PATH (the package mongodb-org-mongos has one), name it with --mongos, in MONGO_PERF_MONGOS or as "binary" under "router" of the target, or have it downloaded, see mongo-perf help sharding. Or measure a cluster that runs, with --uri.',
        },
      )
    },
  },
  // For tests of agents.
  redis: {
    program: 'redis-server',
    sources: [
      fromVariable('MONGO_PERF_REDIS_BINARY'),
      onPath('redis-server'),
      onPath('valkey-server'),
      cached('redis-server'),
      redisWheel,
    ],
    noneFound: (_wanted, tried) =>
      new Problem('no-server', `No Redis or Valkey server is here (${formatReasons(tried).join('; ')})`, {
        hint: 'Only tests of agents start one, and they download it where they can. Otherwise install Redis or Valkey, or name it in MONGO_PERF_REDIS_BINARY.',
      }),
  },
} as const satisfies Readonly<Record<string, ProgramSearch>>

/** The sources of a program that look at this machine alone. */
export const listLocalSources = ({ sources }: Pick<ProgramSearch, 'sources'>): readonly Source[] =>
  sources.filter(({ offer }) => offer === undefined)

/** Finds a `mongod` that runs on this machine and has the wanted version, fetching one if need be. */
export const findMongod = (
  wanted: WantedBinary,
  context: FindContext,
  sources: readonly Source[] = programs.mongod.sources,
): Promise<FoundBinary> => findProgram({ ...programs.mongod, sources }, wanted, context)

/** Finds a `mongos` that runs on this machine and has the wanted version. */
export const findMongos = (
  wanted: WantedBinary,
  context: FindContext,
  sources: readonly Source[] = programs.mongos.sources,
): Promise<FoundBinary> => findProgram({ ...programs.mongos, sources }, wanted, context)

/** Finds a Redis or Valkey server on this machine, for tests of agents. */
export const findRedis = (
  context: FindContext,
  sources: readonly Source[] = programs.redis.sources,
): Promise<FoundBinary> => findProgram({ ...programs.redis, sources }, {}, context)

export const listMongods = (context: FindContext): Promise<readonly ListedBinary[]> =>
  listProgram(programs.mongod, {}, context)

/** Lists every `mongos` for the mongod that a run would use. */
export const listMongoses = (context: FindContext, mongod: string | undefined): Promise<readonly ListedBinary[]> =>
  listProgram(programs.mongos, { mongod }, context)
