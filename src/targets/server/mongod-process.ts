import { changeGroups, type Groups } from './limits/groups.ts'
import { foldersOf } from './limits/check-limits.ts'
import { planGroups } from './limits/plan-groups.ts'
import { resourcesOf, type ServerLimits } from './limits/server-limits.ts'
import { type ClusterRole, mongodArguments } from './mongod-arguments.ts'
import { makeServerFolders, type ServerFolders } from './server-folders.ts'
import { type ResolvedServerOptions } from './server-options.ts'
import {
  endProcess,
  endServer,
  type Launched,
  type ProcessContext,
  type ProcessRequest,
  startProcess,
} from './server-process.ts'

export type MongodRequest = {
  readonly name: string
  readonly binary: string
  readonly options: ResolvedServerOptions
  /** Name of the set that it will be a member of. */
  readonly replicaSet?: string | undefined
  /** What it is in a sharded cluster. */
  readonly clusterRole?: ClusterRole | undefined
}

/** A `mongod` of ours that answers. */
export type MongodProcess = {
  readonly name: string
  readonly pid: number
  readonly port: number
  /** "127.0.0.1:27017" */
  readonly host: string
  /** How to do the same by hand, folders included. */
  readonly commands: readonly string[]
  readonly limits: ServerLimits | null
  readonly directIO: boolean
  /**
   * Holds it to other limits from now on, of what it was started with limits of.
   * @returns the same process as if it had been started with them.
   */
  readonly changeLimits: (limits: ServerLimits | null) => Promise<MongodProcess>
  /** Ends it cleanly and keeps its data until `stop`. Safe to call again. */
  readonly shutDown: () => Promise<void>
  /** Ends it and removes its data. Safe to call again. */
  readonly stop: () => Promise<void>
}

/** Starts one `mongod` on a free loopback port and resolves when it answers. */
export async function startMongod(request: MongodRequest, context: ProcessContext): Promise<MongodProcess> {
  const { limits } = request.options
  const plans = await planGroups(limits, foldersOf(request.options, context.tempFolder), context.host.root)
  await context.supervisor.guard()
  const folders = await makeServerFolders(request.options, request.name, context.tempFolder)
  try {
    const launched = await startProcess(processOf(request, folders), folders, plans, context)
    return runningMongod(request, launched, folders, context)
  } catch (error) {
    await folders.remove()
    throw error
  }
}

function processOf(
  { name, binary, options, replicaSet, clusterRole }: MongodRequest,
  { data, log }: ServerFolders,
): ProcessRequest {
  return {
    program: 'mongod',
    name,
    binary,
    argumentsOn: (port) =>
      mongodArguments(options, { port, data, log, replicaSet, clusterRole, platform: process.platform }),
    hint: (words) =>
      options.directIO && /direct.?io/i.test(words)
        ? '"directIO" needs a mongod up to 8.0 (WiredTiger has dropped it since) and a file system that can do without the page cache: try without.'
        : 'Check the options under "server" in the spec; "mongo-perf doctor" tells whether this mongod starts at all.',
  }
}

function runningMongod(
  request: MongodRequest,
  { record, port, groups, command }: Launched,
  folders: ServerFolders,
  context: ProcessContext,
): MongodProcess {
  let stopping: Promise<void> | undefined
  const heldTo = (limits: ServerLimits | null, made: Groups): MongodProcess => ({
    name: request.name,
    pid: record.pid,
    port,
    host: `127.0.0.1:${port}`,
    limits,
    directIO: request.options.directIO,
    commands: [...folders.commands, ...made.commands, command],
    async changeLimits(wanted) {
      const places = foldersOf(request.options, context.tempFolder)
      const resources = resourcesOf(request.options.limits)
      const plans = await planGroups(wanted, places, context.host.root, resources)
      return heldTo(wanted, changeGroups(plans, port))
    },
    shutDown: () => endServer(record),
    stop: () => (stopping ??= endProcess(record, folders, context)),
  })
  return heldTo(request.options.limits, groups)
}
