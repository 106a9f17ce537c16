import { readFile } from 'node:fs/promises'
import { Problem } from '../../errors.ts'
import { adminCommand } from './admin-command.ts'
import { findFreePort } from './free-port.ts'
import { lastComplaints } from './log-lines.ts'
import {
  type Launch,
  launchMongod,
  type MongodContext,
  type MongodRequest,
  startMs,
  waitUntilReady,
} from './launch-mongod.ts'
import { foldersOf } from './limits/check-limits.ts'
import { changeGroups, type Groups, liftLimits, removeGroups } from './limits/groups.ts'
import { planGroups } from './limits/plan-groups.ts'
import { resourcesOf, type ServerLimits } from './limits/server-limits.ts'
import { isAlive, resumeProcess, stopProcess } from './process-identity.ts'
import { makeServerFolders, type ServerFolders } from './server-folders.ts'
import { type ServerRecord } from './state.ts'

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

const stopMs = 10_000
const portTries = 5
/** How a mongod ends that cannot listen on its port. */
const portTakenExitCode = 48

/** Starts one `mongod` on a free loopback port and resolves when it answers. */
export async function startMongod(request: MongodRequest, context: MongodContext): Promise<MongodProcess> {
  const { limits } = request.options
  const plans = await planGroups(limits, foldersOf(request.options, context.tempFolder), context.host.root)
  await context.supervisor.guard()
  const folders = await makeServerFolders(request.options, request.name, context.tempFolder)
  try {
    for (let attempt = 1; ; attempt++) {
      const launch = launchMongod(request, await findFreePort(), folders, plans, context.supervisor)
      const end = await waitUntilReady(launch, context.signal)
      if (end === 'ready') return runningMongod(request, launch, folders, context)
      await discard(launch, context)
      if (end === 'stopped')
        throw new Problem('aborted', `The start of ${request.name} was stopped`, { hint: 'Run again.' })
      if (end === 'died' && launch.child.exitCode === portTakenExitCode && attempt < portTries) continue
      throw await startFailure(request, launch, folders, end)
    }
  } catch (error) {
    await folders.remove()
    throw error
  }
}

function runningMongod(
  request: MongodRequest,
  { record, port, groups, command }: Launch,
  folders: ServerFolders,
  context: MongodContext,
): MongodProcess {
  if (record === undefined) throw new Error('A server without a process cannot be ready')
  let stopping: Promise<void> | undefined
  const stop = async (): Promise<void> => {
    await endMongod(record)
    await folders.remove()
    await forgetWithGroups(record, context)
  }
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
    shutDown: () => endMongod(record),
    stop: () => (stopping ??= stop()),
  })
  return heldTo(request.options.limits, groups)
}

async function endMongod(record: ServerRecord): Promise<void> {
  liftLimits(record.groups)
  if (isAlive(record)) {
    // On a plain SIGTERM a member of a set goes on serving its clients for 15 s before it ends.
    resumeProcess(record)
    await adminCommand(record.port, { shutdown: 1, force: true, timeoutSecs: 0 }, 1_500).catch(() => undefined)
  }
  if (await stopProcess(record, stopMs)) return
  throw new Error(`The mongod with process id ${record.pid} survived a kill; its data is left in place`)
}

async function discard({ record, groups }: Launch, context: MongodContext): Promise<void> {
  if (record === undefined) return void (await removeGroups(groups.folders))
  await endMongod(record)
  await forgetWithGroups(record, context)
}

/** A group that cannot be removed yet stays written down, for `clean`. */
async function forgetWithGroups(record: ServerRecord, { supervisor }: MongodContext): Promise<void> {
  if ((await removeGroups(record.groups)).length === 0) supervisor.forget(record)
}

async function startFailure(
  { name, binary, options }: MongodRequest,
  { child }: Launch,
  { log, output }: ServerFolders,
  end: 'died' | 'silent',
): Promise<Problem> {
  const [logText, outputText] = await Promise.all([log, output].map((file) => readFile(file, 'utf8').catch(() => '')))
  const complaints = lastComplaints(logText ?? '', outputText ?? '')
  const how =
    end === 'silent'
      ? `gave no answer within ${startMs / 1000} s`
      : `ended at once (${child.signalCode ?? `exit code ${child.exitCode}`})`
  const words = complaints.length > 0 ? `: ${complaints.join('; ')}` : ' without a word'
  return new Problem('no-server', `The mongod for ${name} (${binary}) ${how}${words}`, {
    hint:
      options.directIO && /direct.?io/i.test(words)
        ? '"directIO" needs a mongod up to 8.0 (WiredTiger has dropped it since) and a file system that can do without the page cache: try without.'
        : 'Check the options under "server" in the spec; "mongo-perf doctor" tells whether this mongod starts at all.',
  })
}
