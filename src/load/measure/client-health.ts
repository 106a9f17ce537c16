import { monitorEventLoopDelay, performance, PerformanceObserver } from 'node:perf_hooks'
import { sum } from '../../metrics/statistics.ts'
import { type ClientHealth, type ThreadHealth } from '../../results/schema/client.ts'

/**
 * Event-loop utilisation from which on the client may have set the pace. A saturated client reads 0.96 to 1; above 0.85
 * answers already wait for their turn, and that wait counts as the server's latency.
 */
const saturatedFrom = 0.85

/** The delay meter is a timer of this period, and what it reads includes the period. */
const resolutionMs = 10

/** Readings of the meters over a window. */
export type ClientReadings = {
  readonly wallMs: number
  /** 0 to 1. */
  readonly utilization: number
  /** Null when the loop was too busy to take a sample. */
  readonly delayMs: { readonly p99: number; readonly max: number } | null
  readonly resolutionMs: number
  readonly cpuUs: { readonly user: number; readonly system: number }
  readonly gc: { readonly ms: number; readonly count: number }
  readonly heapUsedBytes: number
  readonly rssBytes: number
}

const megabyte = 1024 * 1024

export function clientHealth(readings: ClientReadings): ClientHealth {
  const { wallMs, utilization, delayMs, cpuUs, gc, heapUsedBytes, rssBytes } = readings
  const lateMs = (delay: number): number => Math.max(0, delay - readings.resolutionMs)
  return {
    eventLoopUtilization: utilization,
    eventLoopDelayP99Ms: delayMs && lateMs(delayMs.p99),
    eventLoopDelayMaxMs: delayMs && lateMs(delayMs.max),
    cpuPercent: wallMs > 0 ? ((cpuUs.user + cpuUs.system) / 1000 / wallMs) * 100 : 0,
    gcMs: gc.ms,
    gcCount: gc.count,
    heapUsedMB: heapUsedBytes / megabyte,
    rssMB: rssBytes / megabyte,
    saturated: utilization > saturatedFrom,
    threads: [],
  }
}

/**
 * The health of a client whose calls are made by threads: the worst of their event loops, for an average would hide the one
 * that sets the pace.
 * @param main What the main thread read, of itself and of the process.
 * @param makesCalls Whether its event loop counts too, because answers come in there.
 */
export function withThreads(main: ClientHealth, threads: readonly ThreadHealth[], makesCalls: boolean): ClientHealth {
  if (threads.length === 0) return main
  const all = [main, ...threads]
  const loops = makesCalls ? all : threads
  return {
    ...main,
    eventLoopUtilization: Math.max(...loops.map(({ eventLoopUtilization }) => eventLoopUtilization)),
    eventLoopDelayP99Ms: worst(loops.map(({ eventLoopDelayP99Ms }) => eventLoopDelayP99Ms)),
    eventLoopDelayMaxMs: worst(loops.map(({ eventLoopDelayMaxMs }) => eventLoopDelayMaxMs)),
    gcMs: sum(all.map(({ gcMs }) => gcMs)),
    gcCount: sum(all.map(({ gcCount }) => gcCount)),
    heapUsedMB: sum(all.map(({ heapUsedMB }) => heapUsedMB)),
    saturated: loops.some(({ saturated }) => saturated),
    threads: [...threads],
  }
}

/** A loop that was too busy to be read is worse than any that was. */
const worst = (values: readonly (number | null)[]): number | null =>
  values.some((value) => value === null) ? null : Math.max(...values.map(Number))

/** Watches the thread that it is called in. Call the returned function at the end of the window, once. */
export function startThreadMeter(workers: number): () => ThreadHealth {
  const read = startClientMeter()
  return () => {
    const { cpuPercent: _, rssMB: __, threads: ___, ...own } = read()
    return { workers, ...own, operations: null, endedAtSeconds: null }
  }
}

/** Watches this process from now on. Call the returned function at the end of the window, once. */
export function startClientMeter(): () => ClientHealth {
  const gc = { ms: 0, count: 0 }
  const addGc = (entries: readonly { readonly duration: number }[]): void => {
    gc.count += entries.length
    for (const { duration } of entries) gc.ms += duration
  }
  const gcObserver = new PerformanceObserver((list) => addGc(list.getEntries()))
  gcObserver.observe({ entryTypes: ['gc'] })
  const delay = monitorEventLoopDelay({ resolution: resolutionMs })
  delay.enable()
  const startMs = performance.now()
  const startCpu = process.cpuUsage()
  const startUtilization = performance.eventLoopUtilization()

  return () => {
    const { utilization } = performance.eventLoopUtilization(startUtilization)
    const cpuUs = process.cpuUsage(startCpu)
    const wallMs = performance.now() - startMs
    delay.disable()
    addGc(gcObserver.takeRecords())
    gcObserver.disconnect()
    const { heapUsed, rss } = process.memoryUsage()
    return clientHealth({
      wallMs,
      utilization,
      delayMs: delay.count > 0 ? { p99: delay.percentile(99) / 1e6, max: delay.max / 1e6 } : null,
      resolutionMs,
      cpuUs,
      gc,
      heapUsedBytes: heapUsed,
      rssBytes: rss,
    })
  }
}
