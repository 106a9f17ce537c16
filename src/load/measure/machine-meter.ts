import os from 'node:os'

/** Activity of a machine, and of the processes of a run on it, over a window. */
export type MachineReadings = {
  readonly wallMs: number
  readonly cores: number
  /** CPU time of all processes of the machine. Interrupts and stolen time are not in it. */
  readonly busyMs: number
  /** CPU time of this process, all of its threads. */
  readonly clientMs: number
  /** CPU time of all processes that mongo-perf started. Null where that is not known of one of them. */
  readonly startedMs: number | null
}

/** CPU time so far of the processes that mongo-perf started. */
export type CpuTimes = {
  /** Null: it ended, or the platform does not report it. */
  readonly each: ReadonlyMap<object, number | null>
  /** CPU time of those that ended, all together. Null: the platform does not report it. */
  readonly endedMs: number | null
}

/** Reads them. */
export type CpuOfStarted = () => CpuTimes

/** Reads this machine from now on. Call the returned function at the end of the window, once. */
export function startMachineMeter(cpuOfStarted: CpuOfStarted): () => MachineReadings {
  // Before the rest: on some systems a program is started for it, which is not to count as another load.
  const before = cpuOfStarted()
  const startMs = performance.now()
  const startBusyMs = readBusyMs()
  const startCpu = process.cpuUsage()
  return () => {
    const wallMs = performance.now() - startMs
    const busyMs = readBusyMs() - startBusyMs
    const { user, system } = process.cpuUsage(startCpu)
    const startedMs = computeRise(before, cpuOfStarted())
    return { wallMs, cores: os.cpus().length, busyMs, clientMs: (user + system) / 1000, startedMs }
  }
}

/** Watches what other programs use of this machine while mongo-perf has started none: a share of its CPU time, 0 to 1. */
export function watchOtherPrograms(): () => number {
  const read = startMachineMeter(() => ({ each: new Map(), endedMs: 0 }))
  return () => {
    const { wallMs, cores, busyMs, clientMs } = read()
    return Math.max(0, busyMs - clientMs) / (wallMs * cores)
  }
}

const readBusyMs = (): number => os.cpus().reduce((sum, { times: { user, nice, sys } }) => sum + user + nice + sys, 0)

/** Sums the rises. Processes that began inside of the window began at 0; what those that ended in it have used is known of all together. */
export function computeRise(before: CpuTimes, after: CpuTimes): number | null {
  let rise = 0
  let hasEnded = false
  for (const one of new Set([...before.each.keys(), ...after.each.keys()])) {
    const end = after.each.get(one) ?? null
    hasEnded ||= end === null
    rise += (end ?? 0) - (before.each.get(one) ?? 0)
  }
  if (!hasEnded) return rise
  return before.endedMs === null || after.endedMs === null ? null : rise + after.endedMs - before.endedMs
}
