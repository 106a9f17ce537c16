import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { systemClock } from '../../../../core/clock.ts'

/** A process, as opposed to a later one with the same number. */
export type ProcessIdentity = {
  readonly pid: number
  /** Opaque, equal for the whole life of a process. Null where the platform does not report it. */
  readonly startTime: string | null
}

/** Returns the identity of the process that has this PID now. */
export function readProcessIdentity(pid: number): ProcessIdentity {
  return { pid, startTime: readStartTime(pid) }
}

function readStartTime(pid: number): string | null {
  if (process.platform === 'linux') return readStat(pid)?.startTime ?? null
  if (process.platform === 'win32') return null
  try {
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || null
  } catch {
    return null
  }
}

type Stat = { readonly state: string; readonly cpuMs: number; readonly startTime: string }

/** Linux reports CPU time of processes in hundredths of a second, whatever the kernel was built with. */
const msPerTick = 10

/**
 * Linux: fields 3 (state), 14 and 15 (CPU time, user and system) and 22 (start time). Field 2, the name, may hold spaces and
 * brackets, so we count from its end.
 */
function readStat(pid: number): Stat | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const cpuMs = (Number(fields[11]) + Number(fields[12])) * msPerTick
    return { state: fields[0] ?? '', cpuMs, startTime: fields[19] ?? '' }
  } catch {
    return undefined
  }
}

/** Whether this very process still runs. One that ended and was not waited for (a zombie) does not. */
export function isAlive({ pid, startTime }: ProcessIdentity): boolean {
  if (process.platform === 'linux') {
    const stat = readStat(pid)
    return stat !== undefined && !'ZX'.includes(stat.state) && (startTime === null || stat.startTime === startTime)
  }
  if (!signal(pid, 0)) return false
  return startTime === null || readStartTime(pid) === startTime
}

/** CPU time that this very process has used so far. Null when it has ended, or the platform does not report it. */
export function readCpuMs({ pid, startTime }: ProcessIdentity, platform = process.platform): number | null {
  const stat = platform === 'linux' ? readStat(pid) : undefined
  return stat === undefined || stat.startTime !== startTime ? null : stat.cpuMs
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
export function isPaused({ pid }: ProcessIdentity): boolean | undefined {
  return process.platform === 'linux' ? readStat(pid)?.state === 'T' : undefined
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
