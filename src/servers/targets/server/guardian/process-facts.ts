import { Problem } from '../../../../core/errors.ts'
import { type System, thisSystem } from '../../../system.ts'

export type ProcessFacts = {
  /** Its first letter as in `ps`: "Z" has ended and was not waited for, "T" is paused. Empty: not reported. */
  readonly state: string
  /** Opaque, equal for the whole life of a process. Null: not reported. */
  readonly startTime: string | null
  /** CPU time so far, all of its threads, user and system. */
  readonly cpuMs: number
}

type Entry = readonly [pid: number, facts: ProcessFacts]

/** Reads what the system reports of processes. Those that it does not know are absent. */
export function readProcesses(pids: readonly number[], system: System): ReadonlyMap<number, ProcessFacts> {
  if (pids.length === 0) return new Map()
  try {
    return new Map((readers[system.platform] ?? askPs)(pids, system))
  } catch {
    // A program that finds none of them fails.
    return new Map()
  }
}

type Reader = (pids: readonly number[], system: System) => readonly Entry[]

/** @throws {Problem} where no server could be watched: the system shows none, and each would count as ended. */
export function requireProcesses(system = thisSystem, pid = process.pid): void {
  if (showsProcesses(system, pid)) return
  throw new Problem('no-server', 'This system does not show its processes, so no server can be watched and ended', {
    hint: 'On Linux, mount them for this PID namespace (mount -t proc proc /proc); elsewhere, put `ps` on the PATH.',
  })
}

/** Whether the system shows this process, and so those that it starts. Windows is not asked: there, signals tell. */
export function showsProcesses(system = thisSystem, pid = process.pid): boolean {
  if (system.platform !== 'linux') return system.platform === 'win32' || readProcesses([pid], system).has(pid)
  try {
    // That of another PID namespace shows other processes under our numbers.
    return Number.parseInt(system.read('/proc/self/stat')) === pid
  } catch {
    return false
  }
}

/** Linux reports CPU time of processes in hundredths of a second, whatever the kernel was built with. */
const msPerTick = 10

/** The fields of a process on Linux from the 3rd on. The 2nd, its name, may hold spaces and brackets, so we count from its end. */
const readStat = (process: number | 'self', { read }: System): readonly string[] => {
  const stat = read(`/proc/${process}/stat`)
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

const sumTicks = (user = '', system = ''): number => (Number(user) + Number(system)) * msPerTick

/** Linux: fields 3 (state), 14 and 15 (CPU time, user and system) and 22 (start time). */
const readProc: Reader = (pids, system) =>
  pids.flatMap((pid): readonly Entry[] => {
    try {
      const fields = readStat(pid, system)
      const cpuMs = sumTicks(fields[11], fields[12])
      return [[pid, { state: fields[0] ?? '', startTime: fields[19] ?? '', cpuMs }]]
    } catch {
      return []
    }
  })

/** macOS, BSD. A column for each `-o`: on these systems a heading, even an empty one, ends the list. */
const askPs: Reader = (pids, { run }) => {
  const columns = ['pid', 'stat', 'time', 'lstart'].flatMap((name) => ['-o', `${name}=`])
  return run('ps', [...columns, '-p', pids.join(',')])
    .split('\n')
    .flatMap((line): readonly Entry[] => {
      const [, pid, state = '', time = '', start = ''] = /^\s*(\d+)\s+(\w)\S*\s+([\d:.-]+)\s+(.*\S)/.exec(line) ?? []
      return pid === undefined ? [] : [[Number(pid), { state, startTime: start, cpuMs: toMs(time) }]]
    })
}

/** "1-02:03:04", "02:03:04" or "123:04.56". */
function toMs(time: string): number {
  const [clock = '', days = '0'] = time.split('-').toReversed()
  return Math.round((Number(days) * 86_400 + clock.split(':').reduce((sum, part) => sum * 60 + Number(part), 0)) * 1000)
}

/** Windows, in ticks of 100 ns, which no language setting changes. PowerShell takes half a second to start. */
const askPowerShell: Reader = (pids, { run }) => {
  const query = `Get-Process -Id ${pids.join(',')} -ErrorAction SilentlyContinue`
  const script = `${query} | ForEach-Object { '{0} {1}' -f $_.Id, $_.TotalProcessorTime.Ticks }`
  return run('powershell.exe', ['-NoProfile', '-NonInteractive', '-Command', script])
    .split('\n')
    .flatMap((line): readonly Entry[] => {
      const [, pid, ticks] = /^(\d+) (\d+)/.exec(line) ?? []
      return pid === undefined ? [] : [[Number(pid), { state: '', startTime: null, cpuMs: Number(ticks) / 10_000 }]]
    })
}

const readers: Partial<Readonly<Record<NodeJS.Platform, Reader>>> = { linux: readProc, win32: askPowerShell }

/** CPU time of all children of this process that have ended, from fields 16 and 17. Null: the system does not report it. */
export function readEndedChildrenMs(system: System): number | null {
  if (system.platform !== 'linux') return null
  try {
    const fields = readStat('self', system)
    return sumTicks(fields[13], fields[14])
  } catch {
    return null
  }
}
