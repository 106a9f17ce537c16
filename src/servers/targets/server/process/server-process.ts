import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { systemClock } from '../../../../core/clock.ts'
import { Problem } from '../../../../core/errors.ts'
import { isAlive, killProcess, resumeProcess, stopProcess } from '../guardian/process-identity.ts'
import { type ServerRecord } from '../guardian/state.ts'
import { type Supervisor } from '../guardian/supervisor.ts'
import { type Host } from '../limits/check-limits.ts'
import { liftLimits, removeGroups } from '../limits/groups.ts'
import { type GroupPlan } from '../limits/settings.ts'
import { type ServerProgram } from '../programs/check-binary.ts'
import { adminCommand } from './admin-command.ts'
import { type Launch, launchProgram, type Program, startMs, waitUntilReady } from './launch-program.ts'
import { type ProcessFolders } from './server-folders.ts'
import { lastLogLines, readTail, howItEnded } from './server-loss.ts'

/** A server of ours that answers. */
export type RunningServer = {
  readonly name: string
  readonly port: number
  /** "127.0.0.1:27017" */
  readonly host: string
  /** How to do the same by hand, folders included. */
  readonly commands: readonly string[]
  /** Ends it and removes its files. Safe to call again. */
  readonly stop: () => Promise<void>
  /** Aborts when it has ended by itself; its reason is a `Problem`. */
  readonly lost: AbortSignal
}

/** Environment that every server of ours needs to start. */
export type ProcessContext = {
  readonly supervisor: Supervisor
  readonly tempFolder: string
  readonly host: Host
  /** Cores that servers are pinned to. Default: none. */
  readonly serverCores?: readonly number[]
  readonly signal: AbortSignal
}

/** A program to start, and how to report it when it does not start. */
export type ProcessRequest = Program & {
  readonly program: ServerProgram
  /** Returns the hint for a start that ended with these words. */
  readonly hint: (startOutput: string) => string
}

export type Launched = Launch & { readonly record: ServerRecord }

const stopMs = 10_000
const portTries = 5
/** How a server ends that cannot bind its port. */
const portTakenExitCode = 48

/** Starts a program on a free loopback port and resolves when it answers. When it does not, no process is left. */
export async function startProcess(
  request: ProcessRequest,
  folders: ProcessFolders,
  plans: readonly GroupPlan[],
  context: ProcessContext,
): Promise<Launched> {
  for (let attempt = 1; ; attempt++) {
    const launch = launchProgram(request, await findFreePort(), folders, plans, context)
    const end = await waitUntilReady(launch, context.signal)
    if (end === 'ready') return withRecord(launch)
    await discard(launch, context)
    if (end === 'stopped')
      throw new Problem('aborted', `The start of ${request.name} was stopped`, { hint: 'Run again.' })
    if (end === 'died' && foundPortTaken(launch, folders) && attempt < portTries) continue
    throw startFailure(request, launch, folders, end)
  }
}

/** A server that has died may have left its port to another for a while: to a client, as the near end of a connection. */
const portPauseMs = 500
const portTriesAgain = 60

/** Ends with the run alone: a server that a fault has ended comes back, also after a Ctrl-C. */
const always = new AbortController().signal

/**
 * Starts a program again where it ran before, with its folders and control groups, and resolves when it answers. To be called
 * when no process of it is left. When it does not answer, none is left either, and its folders stay.
 * @param onLaunched Called as soon as there is a process, long before it answers.
 */
export async function startAgain(
  request: ProcessRequest,
  port: number,
  folders: ProcessFolders,
  plans: readonly GroupPlan[],
  context: ProcessContext,
  onLaunched: (record: ServerRecord) => void,
): Promise<Launch> {
  for (let attempt = 1; ; attempt++) {
    const launch = launchProgram(request, port, folders, plans, context)
    if (launch.record !== undefined) onLaunched(launch.record)
    const end = await waitUntilReady(launch, always)
    if (end === 'ready') return launch
    if (launch.record !== undefined) await endServer(launch.record)
    const isTaken = end === 'died' && foundPortTaken(launch, folders)
    if (!isTaken || attempt === portTriesAgain)
      throw startFailure(request, launch, folders, end === 'died' ? 'died' : 'silent')
    await systemClock.sleep(portPauseMs)
  }
}

/** Two servers that start at once can both bind a port: the one that listens on it later aborts. */
function foundPortTaken({ child }: Launch, { log }: ProcessFolders): boolean {
  if (child.exitCode === portTakenExitCode) return true
  return child.signalCode === 'SIGABRT' && lastLogLines(readTail(log), '').some((line) => portTaken.test(line))
}

const portTaken = /^Error listening .*: Address already in use$/

function withRecord(launch: Launch): Launched {
  if (launch.record === undefined) throw new Error('A server without a process cannot be ready')
  return { ...launch, record: launch.record }
}

/** Ends a server and removes its folders. A clean end would only write data that goes with it. */
export async function endProcess(
  record: ServerRecord,
  folders: Pick<ProcessFolders, 'remove'>,
  context: ProcessContext,
): Promise<void> {
  await killServer(record)
  await folders.remove()
  await forgetWithGroups(record, context)
}

/** Ends a server cleanly; its folders stay. */
export async function endServer(record: ServerRecord): Promise<void> {
  liftLimits(record.groups)
  if (isAlive(record)) {
    // On a plain SIGTERM a member of a set goes on serving its clients for 15 s before it ends, and so does a router.
    resumeProcess(record)
    await adminCommand(record.port, { shutdown: 1, force: true, timeoutSecs: 0 }, 1_500).catch(() => undefined)
  }
  if (!(await stopProcess(record, stopMs))) throw survived(record)
}

async function killServer(record: ServerRecord): Promise<void> {
  liftLimits(record.groups)
  if (!(await killProcess(record))) throw survived(record)
}

const survived = ({ pid }: ServerRecord): Error =>
  new Error(`The server with process id ${pid} survived a kill; its data is left in place`)

async function discard({ record, groups }: Launch, context: ProcessContext): Promise<void> {
  if (record === undefined) return void (await removeGroups(groups.folders))
  await killServer(record)
  await forgetWithGroups(record, context)
}

/** A group that cannot be removed yet stays written down, for `clean`. */
async function forgetWithGroups(record: ServerRecord, { supervisor }: ProcessContext): Promise<void> {
  if ((await removeGroups(record.groups)).length === 0) supervisor.forget(record)
}

function startFailure(
  { program, name, binary, hint }: ProcessRequest,
  { child }: Launch,
  { log, output }: ProcessFolders,
  end: 'died' | 'silent',
): Problem {
  const lines = lastLogLines(readTail(log), readTail(output))
  const how = end === 'silent' ? `gave no answer within ${startMs / 1000} s` : `ended at once (${howItEnded(child)})`
  const startOutput = lines.length > 0 ? `: ${lines.join('; ')}` : ' without output'
  return new Problem('no-server', `The ${program} for ${name} (${binary}) ${how}${startOutput}`, {
    hint: hint(startOutput),
  })
}

/** A port of the loopback interface that no process listens on now. One may a moment later, so be ready to try another. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
