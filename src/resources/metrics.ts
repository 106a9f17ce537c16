/** One thing a server tells about itself, under one name for all server versions. */
export type Metric = {
  readonly unit: string
  /** Counters only rise, and are reported as the rise over the window; gauges are reported as read. */
  readonly kind: 'counter' | 'gauge'
  readonly meaning: string
  /** Dotted paths below `serverStatus` or `systemMetrics`, tried in order: names move between server versions. */
  readonly paths: readonly string[]
}

export const metrics = {
  hostCpuBusyMs: {
    unit: 'ms',
    kind: 'counter',
    meaning: 'CPU time of the whole host that was not idle and not waiting for I/O, summed over its cores.',
    paths: [],
  },
} as const satisfies Record<string, Metric>

export type MetricName = keyof typeof metrics
export const metricNames = Object.keys(metrics) as [MetricName, ...MetricName[]]
