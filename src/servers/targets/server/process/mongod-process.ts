import { listServerFolders } from '../limits/check-limits.ts'
import { changeGroups, type Groups } from '../limits/groups.ts'
import { planGroups } from '../limits/plan-groups.ts'
import { listLimitedResources, type ServerLimits } from '../limits/server-limits.ts'
import { type ResolvedServerOptions } from '../server-options.ts'
import { makeServerFolders, type ServerFolders } from './server-folders.ts'
import { createServerLife, type ServerLife } from './server-life.ts'
import {
  type Launched,
  type ProcessContext,
  type ProcessRequest,
  type RunningServer,
  startProcess,
} from './server-process.ts'

/** A `mongod` to start: its name, binary, options and role. */
export type MongodRequest = {
  readonly name: string
  readonly binary: string
  readonly options: ResolvedServerOptions
  /** Name of the set that it will be a member of. */
  readonly replicaSet?: string | undefined
  readonly clusterRole?: ClusterRole | undefined
}

/** A `mongod` of ours that answers. */
export type MongodProcess = RunningServer &
  Pick<ServerLife, 'control' | 'shutDown'> & {
    readonly limits: ServerLimits | null
    readonly directIO: boolean
    /** Whether we say how often it looks at itself: the spec does not. */
    readonly setsLooks: boolean
    /**
     * Holds it to other limits from now on, of what it was started with limits of.
     * @returns the same process as if it had been started with them.
     */
    readonly changeLimits: (limits: ServerLimits | null) => Promise<MongodProcess>
  }

/** Starts one `mongod` on a free loopback port and resolves when it answers. */
export async function startMongod(request: MongodRequest, context: ProcessContext): Promise<MongodProcess> {
  const { limits } = request.options
  const plans = await planGroups(limits, listServerFolders(request.options, context.tempFolder), context.host.root)
  await context.supervisor.guard()
  const folders = await makeServerFolders(request.options, request.name, context.tempFolder)
  try {
    const program = createMongodRequest(request, folders)
    const launched = await startProcess(program, folders, plans, context)
    const life = createServerLife(program, { launched, folders, plans }, context)
    return runningMongod(request, life, { launched, folders }, context)
  } catch (error) {
    await folders.remove()
    throw error
  }
}

function createMongodRequest(
  { name, binary, options, replicaSet, clusterRole }: MongodRequest,
  { data, log }: ServerFolders,
): ProcessRequest {
  return {
    program: 'mongod',
    name,
    binary,
    argumentsOn: (port) =>
      mongodArguments(options, { port, data, log, replicaSet, clusterRole, platform: process.platform }),
    hint: (startOutput) =>
      options.directIO && /direct.?io/i.test(startOutput)
        ? '"directIO" needs a mongod up to 8.0 (WiredTiger has dropped it since) and a file system that can do without the page cache: try without.'
        : 'Check the options under "server" in the spec; "mongo-perf doctor" shows whether this mongod starts at all.',
  }
}

function runningMongod(
  request: MongodRequest,
  life: ServerLife,
  { launched: { port, groups, command }, folders }: { readonly launched: Launched; readonly folders: ServerFolders },
  context: ProcessContext,
): MongodProcess {
  const heldTo = (limits: ServerLimits | null, made: Groups): MongodProcess => ({
    name: request.name,
    port,
    host: life.control.host,
    limits,
    directIO: request.options.directIO,
    setsLooks: !(lookPeriod in request.options.setParameters),
    commands: [...folders.commands, ...made.commands, command],
    async changeLimits(wanted) {
      const places = listServerFolders(request.options, context.tempFolder)
      const resources = listLimitedResources(request.options.limits)
      const plans = await planGroups(wanted, places, context.host.root, resources)
      life.holdTo(plans)
      return heldTo(wanted, changeGroups(plans, port))
    },
    control: life.control,
    shutDown: life.shutDown,
    stop: life.stop,
    lost: life.lost,
  })
  return heldTo(request.options.limits, groups)
}

/** The parameter that says how many milliseconds lie between two looks of a server at itself: 1000 by default, and 100 or more. */
export const lookPeriod = 'diagnosticDataCollectionPeriodMillis'

/** Role of a `mongod` in a sharded cluster, by the flag that gives it. */
export type ClusterRole = 'configsvr' | 'shardsvr'

/** The port, paths and role that a `mongod` starts with. */
export type MongodLocation = {
  readonly port: number
  readonly data: string
  readonly log: string
  /** Name of the set that it will be a member of. */
  readonly replicaSet: string | undefined
  /** Undefined: it is in no sharded cluster. */
  readonly clusterRole: ClusterRole | undefined
  readonly platform: NodeJS.Platform
}

/** Smallest cache that a `mongod` takes as an option. Its storage engine takes smaller ones. */
const minCacheGB = 0.25

const engineSettings = ({ directIO, cacheGB }: ResolvedServerOptions): readonly string[] => [
  ...(directIO ? ['direct_io=[data]'] : []),
  ...(cacheGB < minCacheGB ? [`cache_size=${Math.round(cacheGB * 1024)}M`] : []),
]

/** Returns the arguments of a `mongod`. Pure, so that the recorded command is the one that ran. */
export function mongodArguments(options: ResolvedServerOptions, location: MongodLocation): string[] {
  const { port, data, log, replicaSet, clusterRole, platform } = location
  const engine = engineSettings(options)
  return [
    '--bind_ip=127.0.0.1',
    `--port=${port}`,
    `--dbpath=${data}`,
    `--logpath=${log}`,
    '--logappend',
    `--wiredTigerCacheSizeGB=${Math.max(minCacheGB, options.cacheGB)}`,
    ...(options.scripting ? [] : ['--noscripting']),
    // Sockets in the temporary folder would be left behind by a kill.
    ...(platform === 'win32' ? [] : ['--nounixsocket']),
    ...(clusterRole === undefined ? [] : [`--${clusterRole}`]),
    ...(replicaSet === undefined ? [] : [`--replSet=${replicaSet}`, `--oplogSize=${options.oplogMB}`]),
    ...(options.directoryPerDb ? ['--directoryperdb'] : []),
    ...(engine.length === 0 ? [] : [`--wiredTigerEngineConfigString=${engine.join(',')}`]),
    ...Object.entries(options.setParameters).map(([name, value]) => `--setParameter=${name}=${value}`),
  ]
}
