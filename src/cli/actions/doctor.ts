import { setTimeout } from 'node:timers/promises'
import { Problem } from '../../core/errors.ts'
import { groupDigits } from '../../core/quantities.ts'
import { driverVersion, toolVersion } from '../../core/versions.ts'
import { watchOtherPrograms } from '../../load/measure/machine-meter.ts'
import { type Picture } from '../../report/charts/picture.ts'
import { createChart } from '../../report/charts/report-chart.ts'
import { drawChart } from '../../report/report.ts'
import { minCpuOfOthers } from '../../results/warnings/weights.ts'
import { coreListText, stateFolder, thisMachine } from '../../servers/machine.ts'
import { coresFor } from '../../servers/targets/cores/cores-here.ts'
import { startTarget, targetSpec } from '../../servers/targets/index.ts'
import { showsProcesses } from '../../servers/targets/server/guardian/process-facts.ts'
import { isAlive } from '../../servers/targets/server/guardian/process-identity.ts'
import { listServers } from '../../servers/targets/server/guardian/state.ts'
import { makeStateFolder } from '../../servers/targets/server/guardian/supervisor.ts'
import { thisHost } from '../../servers/targets/server/limits/check-limits.ts'
import { planGroups } from '../../servers/targets/server/limits/plan-groups.ts'
import { resolveLimits } from '../../servers/targets/server/limits/server-limits.ts'
import { systemResources } from '../../servers/targets/server/preflight.ts'
import { type FindContext, type FoundBinary } from '../../servers/targets/server/programs/find-program.ts'
import {
  findMongod,
  listLocalSources,
  programs,
  findMongos,
  findRedis,
} from '../../servers/targets/server/programs/programs.ts'
import { createStartContext } from '../../servers/targets/start/start-context.ts'
import { type CliContext } from '../cli-context.ts'
import { type Config } from '../options/config-file.ts'
import { envWith } from '../start-context.ts'
import { showFetching } from '../terminal/show-fetching.ts'

/** A line of `mongo-perf doctor`. */
export type DoctorFinding = {
  /** Neutral: background information. */
  readonly mark: 'good' | 'bad' | 'neutral'
  readonly text: string
  /** Whether mongo-perf cannot start servers without it. */
  readonly needed?: boolean
}

type Context = Pick<FindContext, 'machine' | 'signal' | 'onFetch'> & { readonly mongod: string | undefined }

/** Looks on this machine. @param mongos The one to try first. */
export const lookHere = (cli: CliContext, mongos: string | undefined): Omit<Context, 'mongod'> => ({
  machine: thisMachine(envWith(cli.env, { mongos })),
  signal: cli.stop,
  onFetch: showFetching(cli),
})

const good = (text: string): DoctorFinding => ({ mark: 'good', text })
const bad = (text: string): DoctorFinding => ({ mark: 'bad', text })
const neutral = (text: string): DoctorFinding => ({ mark: 'neutral', text })
const judged = (isGood: boolean, text: string): DoctorFinding => (isGood ? good(text) : bad(text))

/** Finds out what a run can do on this machine. Starts a server and stops it again. */
export async function examine(context: Context, config?: Config): Promise<readonly DoctorFinding[]> {
  const { machine, signal } = context
  const load = await examineLoad()
  return [
    good(
      `mongo-perf ${toolVersion()}, driver ${driverVersion()}, Node ${process.version} on ${machine.platform} ${machine.arch}`,
    ),
    ...(config === undefined ? [] : [neutral(describeConfig(config))]),
    ...(await examineMongod(context)),
    load,
    ...(await examineRoom(machine.tempFolder)),
    ...(await examineLimits(machine.tempFolder)),
    await examineCores(),
    await examineRedis({ machine, signal }),
    await examineCharts(),
    ...examineServers(stateFolder(machine)),
  ]
}

const watchedMs = 1000

async function examineLoad(): Promise<DoctorFinding> {
  const readOthers = watchOtherPrograms()
  await setTimeout(watchedMs)
  const share = readOthers()
  const text = `other programs use ${Math.round(share * 100)} % of the CPU`
  return share < minCpuOfOthers ? good(text) : bad(`${text}: measurements would not be comparable`)
}

const describeConfig = ({ file, values }: Config): string =>
  `defaults of ${file}: ${Object.entries(values)
    .flatMap(([name, value]) => (name === '$schema' ? [] : `${name} ${value}`))
    .join(', ')}`

async function examineMongod(context: Context): Promise<readonly DoctorFinding[]> {
  const { machine, signal, mongod, onFetch } = context
  try {
    makeStateFolder(stateFolder(machine))
    const found = await findMongod({ binary: mongod }, { machine, signal, onFetch, log: () => {} })
    return [
      good(`mongod ${found.version} from the source "${found.source}": ${found.path}`),
      ...otherSources(found),
      await examineStart({ ...context, mongod: found.path }),
      await examineMongos({ ...context, mongod: found.path }),
    ]
  } catch (error) {
    return explained(error)
  }
}

/** Why the mongod does not come from other sources. */
function otherSources({ source, tried }: FoundBinary): readonly DoctorFinding[] {
  const { sources } = programs.mongod
  const later = sources.slice(sources.findIndex(({ name }) => name === source) + 1)
  return [
    ...tried.map(({ source: name, reason }) => neutral(`  not from the source "${name}": ${reason}`)),
    ...later.map(({ name }) => neutral(`  not from the source "${name}": not needed`)),
  ]
}

/** Only sharded clusters need a mongos. */
async function examineMongos({ machine, signal, mongod }: Context): Promise<DoctorFinding> {
  try {
    const found = await findMongos({ mongod }, { machine, signal, log: () => {} }, listLocalSources(programs.mongos))
    return good(`mongos ${found.version} from the source "${found.source}": ${found.path}`)
  } catch (error) {
    if (!(error instanceof Problem) || error.code === 'aborted') throw error
    return neutral(`${error.message}. ${error.hint}`)
  }
}

/** A binary that prints its version may still fail to start. */
async function examineStart({ machine, signal, mongod }: Context): Promise<DoctorFinding> {
  await using start = createStartContext({
    machine,
    mongod,
    uri: () => undefined,
    allowRemote: false,
    signal,
    log: () => {},
  })
  const server = await startTarget(targetSpec.parse({ kind: 'standalone' }), start)
  await server[Symbol.asyncDispose]()
  return good('a server starts and answers')
}

function explained(error: unknown): readonly DoctorFinding[] {
  if (!(error instanceof Problem) || error.code === 'aborted') throw error
  return [{ ...bad(error.message), needed: true }, neutral(`  ${error.hint}`)]
}

async function examineRoom(folder: string): Promise<readonly DoctorFinding[]> {
  const [{ freeMB }, { availableMB, isAtLeast }, files] = await Promise.all([
    systemResources.disk(folder),
    systemResources.memory(),
    systemResources.fileDescriptors(),
  ])
  return [
    judged(freeMB > 2048, `${groupDigits(Math.round(freeMB))} MB free for data in ${folder}`),
    isAtLeast
      ? neutral(
          `at least ${groupDigits(Math.round(availableMB))} MB of memory free for caches: this system does not say how much more`,
        )
      : judged(availableMB > 1024, `${groupDigits(Math.round(availableMB))} MB of memory free for caches`),
    ...(files === undefined ? [] : [judged(files >= 4096, `${groupDigits(files)} file descriptors`)]),
  ]
}

/** Tries each limit separately, since most specs need one or two. */
async function examineLimits(folder: string): Promise<readonly DoctorFinding[]> {
  const names = { cpu: 'CPU', memory: 'memory', io: `disk under ${folder}` } as const
  const requests = {
    cpu: resolveLimits({ cpus: 1 }),
    memory: resolveLimits({ memoryMB: 1024 }),
    io: resolveLimits({ readIops: 1000 }),
  } as const
  return Promise.all(
    (['cpu', 'memory', 'io'] as const).map(async (resource) => {
      const subject = `limits of a server, ${names[resource]}:`
      try {
        await planGroups(requests[resource], [folder], thisHost().root)
        return good(`${subject} can be set`)
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        return neutral(`${subject} ${error.message}. Specs whose limits are not required run without them`)
      }
    }),
  )
}

/** Examines the effect of `"cores": "apart"` here. */
async function examineCores(): Promise<DoctorFinding> {
  const subject = 'separate cores:'
  const division = await coresFor('apart', 0, { host: thisHost() })
  if (division === undefined || 'reason' in division) return neutral(`${subject} ${division?.reason}`)
  return good(`${subject} client ${coreListText(division.client)}, servers ${coreListText(division.servers)}`)
}

/** Runs use a Redis that runs already; tests of agents start one. */
async function examineRedis({ machine, signal }: Pick<Context, 'machine' | 'signal'>): Promise<DoctorFinding> {
  try {
    const found = await findRedis({ machine, signal, log: () => {} }, listLocalSources(programs.redis))
    return good(`Redis ${found.version} from the source "${found.source}", for tests of agents: ${found.path}`)
  } catch (error) {
    if (!(error instanceof Problem) || error.code === 'aborted') throw error
    return neutral(`${error.message}. ${error.hint}`)
  }
}

async function examineCharts(): Promise<DoctorFinding> {
  try {
    const picture: Picture = {
      kind: 'line',
      title: '',
      x: { kind: 'category', title: '', labels: [] },
      y: [],
      lines: [],
    }
    await drawChart(createChart(picture, () => 0, { file: '', title: '', subtitle: '', caption: '' }))
    return good('charts can be drawn')
  } catch (error) {
    if (error instanceof Problem) return bad(`${error.message}. ${error.hint}`)
    return bad(`charts cannot be drawn: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function examineServers(folder: string): readonly DoctorFinding[] {
  if (!showsProcesses()) return []
  const servers = listServers(folder)
  const inUse = servers.filter(({ owner }) => isAlive(owner)).length
  const left = servers.length - inUse
  return [
    ...(inUse > 0 ? [neutral(`servers of other runs in progress: ${inUse}`)] : []),
    left === 0
      ? good('no server is left over from an earlier run')
      : neutral(`servers left over from earlier runs: ${left}; \`mongo-perf clean\` ends them`),
  ]
}

/** Fetches a `mongod`, unless one is here, and returns its path: for a step of CI before the tests. */
export async function fetchMongod(version: string | undefined, context: Omit<Context, 'mongod'>): Promise<string> {
  makeStateFolder(stateFolder(context.machine))
  const { path } = await findMongod({ version }, { ...context, log: () => {} })
  return path
}
