import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { systemClock } from '../../../../core/clock.ts'
import { hidden } from '../../../child-process.ts'
import { envOfChildren } from '../../../machine.ts'
import { pinnedCommand } from '../../cores/cores-here.ts'
import { isAlive } from '../guardian/process-identity.ts'
import { type ServerRecord } from '../guardian/state.ts'
import { type Supervisor } from '../guardian/supervisor.ts'
import { type Groups, makeGroups, removeGroups, startedIn } from '../limits/groups.ts'
import { type GroupPlan } from '../limits/settings.ts'
import { shellLine } from '../shell-line.ts'
import { readPid } from './admin-command.ts'
import { type ProcessFolders } from './server-folders.ts'
import { type ProcessContext } from './server-process.ts'

/** How long a server may take until it answers. */
export const startMs = 60_000

/** A program that is to be a server of ours. */
export type Program = {
  /** Name of the process: "member0". */
  readonly name: string
  readonly binary: string
  readonly argumentsOn: (port: number) => readonly string[]
}

/** A server that was asked to start. */
export type Launch = {
  readonly child: ChildProcess
  readonly port: number
  /** Absent when not even a process came to be. */
  readonly record: ServerRecord | undefined
  readonly ended: Promise<unknown>
  /** The control groups that it was started in. */
  readonly groups: Groups
  /** The same by hand, once its control groups are there. */
  readonly command: string
}

/** Spawns a server program in its control groups and on its cores, and records its process with the supervisor. */
export function launchProgram(
  { name, binary, argumentsOn }: Program,
  port: number,
  { output, owned }: ProcessFolders,
  plans: readonly GroupPlan[],
  { supervisor, serverCores }: Pick<ProcessContext, 'supervisor' | 'serverCores'>,
): Launch {
  const groups = makeGroups(plans, port)
  const command = startedIn(groups.folders, pinnedCommand(serverCores, [binary, ...argumentsOn(port)]))
  const outputFile = openSync(output, 'a')
  // Detached: in a session of its own, so that a Ctrl-C in the terminal reaches us alone and we decide when it ends.
  const [program = '', ...words] = command
  const child = spawn(program, words, {
    ...hidden,
    env: envOfChildren(),
    detached: true,
    stdio: ['ignore', outputFile, outputFile],
  })
  const entry = { name, port, folders: [...owned], groups: [...groups.folders] }
  const record = recordChild(child, entry, supervisor)
  closeSync(outputFile)
  child.unref()
  const ended = once(child, 'exit').catch(() => undefined)
  return { child, port, record, ended, groups, command: shellLine(command) }
}

/** Writes a process down. One that cannot be must not run: nothing would end it. Undefined: it did not come to be. */
export function recordChild(
  child: ChildProcess,
  server: Omit<ServerRecord, 'pid' | 'startTime' | 'owner'>,
  supervisor: Supervisor,
): ServerRecord | undefined {
  if (child.pid === undefined) return undefined
  try {
    return supervisor.record({ ...server, pid: child.pid })
  } catch (error) {
    child.kill('SIGKILL')
    void removeGroups(server.groups)
    throw error
  }
}

/** The outcome of a server start; "silent" means that the server did not listen within the time limit. */
export type StartEnd = 'ready' | 'died' | 'stopped' | 'silent'

/** Resolves to how the start went. A server that is not ours and listens on the port is not taken for ours. */
export async function waitUntilReady(launch: Launch, signal: AbortSignal): Promise<StartEnd> {
  const { record, port } = launch
  const started = systemClock.now()
  while (systemClock.now() - started < startMs) {
    if (signal.aborted) return 'stopped'
    if (record === undefined || !isAlive(record)) return awaitDeath(launch)
    if ((await readPid(port)) === record.pid) return 'ready'
    await systemClock.sleep(25, signal)
  }
  return 'silent'
}

async function awaitDeath({ child, ended }: Launch): Promise<'died'> {
  // It was not to keep us running. While its end is awaited nothing else does.
  child.ref()
  await ended
  return 'died'
}
