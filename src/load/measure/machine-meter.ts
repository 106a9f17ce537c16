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

/** CPU time so far of each process that mongo-perf started. Null: it ended, or the platform does not report it. */
export type CpuOfStarted = () => ReadonlyMap<object, number | null>

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

const readBusyMs = (): number => os.cpus().reduce((sum, { times: { user, nice, sys } }) => sum + user + nice + sys, 0)

/** Sums the rises. Processes that ended inside of the window lack the last reading; those that began in it began at 0. */
export function computeRise(
  before: ReadonlyMap<object, number | null>,
  after: ReadonlyMap<object, number | null>,
): number | null {
  let rise = 0
  for (const one of new Set([...before.keys(), ...after.keys()])) {
    const end = after.get(one) ?? null
    if (end === null) return null
    rise += end - (before.get(one) ?? 0)
  }
  return rise
}
