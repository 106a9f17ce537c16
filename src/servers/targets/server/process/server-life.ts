import { systemClock } from '../../../../core/clock.ts'
import { Problem } from '../../../../core/errors.ts'
import { runTool } from '../../../child-process.ts'
import {
  isAlive,
  isGoneWithin,
  isPaused,
  resumeProcess,
  sendSignal,
  stopProcess,
} from '../guardian/process-identity.ts'
import { type ServerRecord } from '../guardian/state.ts'
import { type GroupPlan } from '../limits/settings.ts'
import { type Launch } from './launch-program.ts'
import { type ProcessFolders } from './server-folders.ts'
import { createLossWatch } from './server-loss.ts'
import {
  endProcess,
  endServer,
  type Launched,
  type ProcessContext,
  type ProcessRequest,
  type RunningServer,
  startAgain,
} from './server-process.ts'

/** A server of ours in the hands of faults: one address, and one process after the other. */
export type ServerControl = {
  readonly name: string
  /** "127.0.0.1:27017" */
  readonly host: string
  /** Process id of the process that runs, or that ran last. */
  readonly pid: () => number
  readonly isRunning: () => boolean
  /** Ends it at once, as a crash does. Resolves when it is gone. */
  readonly kill: () => Promise<void>
  /**
   * Asks it to end, as whoever stops the service does. Resolves when it is gone.
   * @param stop Ends the wait early; `restart` waits for the rest.
   */
  readonly terminate: (stop: AbortSignal) => Promise<void>
  /** Stops all that it does, with its connections open, as a host that hangs. */
  readonly pause: () => Promise<void>
  readonly resume: () => Promise<void>
  /**
   * Brings it back when it was ended: the same mongod on the same port with the same data, options and limits. Waits for the
   * old process to be gone, and resolves when the new one answers. Nothing to do where it runs and was not asked to end.
   */
  readonly restart: () => Promise<void>
  /** Largest file that it may write from now on; null: any. Does not outlive the process. */
  readonly setFileSizeLimit: (bytes: number | null) => Promise<void>
  /** Gets every new process as soon as it is there, long before it answers. */
  readonly onNewProcess: (listen: (pid: number) => void) => void
}

/** Controls a running server: faults, control groups, shutdown and removal. */
export type ServerLife = Pick<RunningServer, 'stop' | 'lost'> & {
  /** Ends it and brings it back, for faults. */
  readonly control: ServerControl
  /** The groups that a new process is started in. */
  readonly holdTo: (plans: readonly GroupPlan[]) => void
  /** Ends it cleanly and keeps its data until `stop`. Safe to call again. */
  readonly shutDown: () => Promise<void>
}

type OneProcess = {
  readonly record: ServerRecord
  isToldToEnd: boolean
  /** An action on it may end it. */
  mayEnd: boolean
}

const createServerProcess = (record: ServerRecord): OneProcess => ({ record, isToldToEnd: false, mayEnd: false })

/** A primary steps down first, and any member serves its clients for another 15 s. */
const terminateMs = 60_000
/** The rest of that, where it is wanted back before it is gone. One that is killed starts as after a crash. */
const leaveMs = 30_000
const killMs = 10_000
const pauseMs = 2_000
const pollMs = 5

/** Creates the control of a server that has just started, and watches for its unexpected end. */
export function createServerLife(
  request: ProcessRequest,
  start: { readonly launched: Launched; readonly folders: ProcessFolders; readonly plans: readonly GroupPlan[] },
  context: ProcessContext,
): ServerLife {
  const { name } = request
  const { folders } = start
  const { port } = start.launched
  const listeners: ((pid: number) => void)[] = []
  let { plans } = start
  let current = createServerProcess(start.launched.record)
  const loss = createLossWatch(request, folders)
  let returning: Promise<void> | undefined
  let stopping: Promise<void> | undefined

  function take(next: ServerRecord): void {
    // In one turn of the event loop: one of the two is always in the state, and with it the folders.
    const { record: last } = current
    current = createServerProcess(next)
    context.supervisor.forget(last)
    for (const listen of listeners) listen(next.pid)
  }

  /** Each process by itself: when the end of one is reported, the next may run already. */
  function watchForLoss(launch: Launch): void {
    const process = current
    loss.watch(launch, () => process.isToldToEnd || process.mayEnd || stopping !== undefined)
  }

  async function comeBack(): Promise<void> {
    const { record, isToldToEnd } = current
    if (isAlive(record) && !isToldToEnd) return
    if (!(await stopProcess(record, isToldToEnd ? leaveMs : 0))) throw survived()
    watchForLoss(await startAgain(request, port, folders, plans, context, take))
  }

  async function end(signal: 'SIGKILL' | 'SIGTERM', withinMs: number, stop?: AbortSignal): Promise<void> {
    if (!sendSignal(current.record, signal)) throw notRunning()
    current.isToldToEnd = true
    if (await isGoneWithin(current.record, withinMs, stop)) return
    if (!stop?.aborted) throw survived()
  }

  async function waitUntilPaused(): Promise<void> {
    const started = systemClock.now()
    while (isPaused(current.record) === false && systemClock.now() - started < pauseMs) await systemClock.sleep(pollMs)
  }

  const notRunning = (): Problem =>
    new Problem('no-server', `${name} was not running`, { hint: 'Look at what ended it.' })
  const survived = (): Problem =>
    new Problem('no-server', `${name} (process id ${current.record.pid}) did not end in time`, {
      hint: 'The machine may be too busy.',
    })

  watchForLoss(start.launched)
  return {
    control: {
      name,
      host: `127.0.0.1:${port}`,
      pid: () => current.record.pid,
      isRunning: () => isAlive(current.record),
      kill: () => end('SIGKILL', killMs),
      terminate: (stop) => end('SIGTERM', terminateMs, stop),
      async pause() {
        if (!sendSignal(current.record, 'SIGSTOP')) throw notRunning()
        await waitUntilPaused()
      },
      async resume() {
        if (isAlive(current.record)) resumeProcess(current.record)
      },
      restart: () => (returning ??= comeBack().finally(() => (returning = undefined))),
      async setFileSizeLimit(bytes) {
        if (!isAlive(current.record)) throw notRunning()
        if (bytes !== null) current.mayEnd = true
        await setFileSizeLimit(current.record.pid, bytes)
      },
      onNewProcess: (listen) => void listeners.push(listen),
    },
    holdTo: (wanted) => void (plans = wanted),
    async shutDown() {
      current.mayEnd = true
      await endServer(current.record)
    },
    stop: () => (stopping ??= stopAtLast()),
    lost: loss.lost,
  }

  async function stopAtLast(): Promise<void> {
    // A process that is only just being started would be missed.
    await returning?.catch(() => undefined)
    await endProcess(current.record, folders, context)
  }
}

const program = 'prlimit'

/**
 * Limits the size of the files that a running process of ours may write; the kernel ends one that writes beyond. The soft
 * limit alone, which needs no root, not even to be lifted again.
 * @param bytes Null: no limit.
 */
async function setFileSizeLimit(pid: number, bytes: number | null): Promise<void> {
  await runTool(program, ['--pid', String(pid), `--fsize=${bytes ?? 'unlimited'}:`])
}

/** @throws {Problem} "not-measurable-here" where the size of files cannot be limited. */
export async function checkFileSizeLimit(): Promise<void> {
  try {
    await runTool(program, ['--version'])
  } catch {
    throw new Problem(
      'not-measurable-here',
      `The size of the files of a server is limited with ${program} of util-linux, which is not here`,
      { hint: 'Run on Linux with util-linux, or take "fileSizeLimit" out of the faults.' },
    )
  }
}
