import { systemClock } from '../../../../core/clock.ts'
import { type System, thisSystem } from '../../../system.ts'
import { type ProcessFacts, readProcesses } from './process-facts.ts'

/** A process, as opposed to a later one with the same number. */
export type ProcessIdentity = {
  readonly pid: number
  /** Opaque, equal for the whole life of a process. Null where the platform does not report it, or only after half a second as Windows. */
  readonly startTime: string | null
}

const readFacts = (pid: number, system: System): ProcessFacts | undefined =>
  system.platform === 'win32' ? undefined : readProcesses([pid], system).get(pid)

/** Returns the identity of the process that has this PID now. */
export const readProcessIdentity = (pid: number, system = thisSystem): ProcessIdentity => ({
  pid,
  startTime: readFacts(pid, system)?.startTime ?? null,
})

/** Whether this very process still runs. One that ended and was not waited for (a zombie) does not. */
export const isAlive = (identity: ProcessIdentity): boolean => isAliveOn(thisSystem, identity)

/** The same on any system. */
export function isAliveOn(system: System, { pid, startTime }: ProcessIdentity): boolean {
  if (system.platform === 'win32') return signal(pid, 0)
  const facts = readFacts(pid, system)
  return facts !== undefined && !'ZX'.includes(facts.state) && (startTime === null || facts.startTime === startTime)
}

/** CPU time that each of these very processes has used so far. Null: it has ended, or the platform does not report it. */
export function readCpuMs(
  identities: readonly ProcessIdentity[],
  system = thisSystem,
): ReadonlyMap<ProcessIdentity, number | null> {
  const processes = readProcesses(
    identities.map(({ pid }) => pid),
    system,
  )
  return new Map(
    identities.map((one) => {
      const facts = processes.get(one.pid)
      return [one, facts?.startTime === one.startTime ? facts.cpuMs : null]
    }),
  )
}

function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name)
  } catch {
    return false
  }
}

/** Sends a signal to this very process, never to a later one of its number. @returns whether it ran. */
export const sendSignal = (identity: ProcessIdentity, name: NodeJS.Signals): boolean =>
  isAlive(identity) && signal(identity.pid, name)

/** Whether it has been paused and takes no step. Undefined where the platform does not report it. */
export function isPaused({ pid }: ProcessIdentity, system = thisSystem): boolean | undefined {
  return system.platform === 'win32' ? undefined : readFacts(pid, system)?.state === 'T'
}

/** Continues a paused process: until then it would react to no signal but SIGKILL. Windows pauses none. */
export function resumeProcess({ pid }: ProcessIdentity): void {
  if (process.platform !== 'win32') signal(pid, 'SIGCONT')
}

const pollMs = 20
/** After SIGKILL only the kernel is in the way, writing pages of a dead process. */
const afterKillMs = 10_000

/**
 * Ends a process: asks, waits, kills. Resolves to whether it is gone.
 * @param graceMs How long it may take to end by itself.
 */
export async function stopProcess(identity: ProcessIdentity, graceMs: number): Promise<boolean> {
  if (!isAlive(identity)) return true
  resumeProcess(identity)
  signal(identity.pid, 'SIGTERM')
  return (await isGoneWithin(identity, graceMs)) || (await killProcess(identity))
}

/** Ends a process at once, also one that is paused. Resolves to whether it is gone. */
export async function killProcess(identity: ProcessIdentity): Promise<boolean> {
  sendSignal(identity, 'SIGKILL')
  return await isGoneWithin(identity, afterKillMs)
}

/** @param stop Ends the wait early. */
export async function isGoneWithin(identity: ProcessIdentity, timeoutMs: number, stop?: AbortSignal): Promise<boolean> {
  const started = systemClock.now()
  while (isAlive(identity)) {
    if (stop?.aborted || systemClock.now() - started > timeoutMs) return false
    await systemClock.sleep(pollMs, stop)
  }
  return true
}
