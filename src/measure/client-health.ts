import { monitorEventLoopDelay, performance, PerformanceObserver } from 'node:perf_hooks'
import { type ClientHealth } from '../results/schema.ts'

/**
 * Event-loop utilisation from which on the client may have set the pace. A saturated client reads 0.96 to 1; above 0.85
 * answers already wait for their turn, and that wait counts as the server's latency.
 */
const saturatedFrom = 0.85

/** The delay meter is a timer of this period, and what it reads includes the period. */
const resolutionMs = 10

/** What the meters read over a window. */
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
