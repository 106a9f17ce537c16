/** Measures of earlier versions, and those that came in their place. */
export const formerMetrics: ReadonlyMap<string, string> = new Map([
  ['spreadPercent', 'intervalPercent'],
  ['clientCpuSpreadPercent', 'clientCpuIntervalPercent'],
  ['serverCpuSpreadPercent', 'serverCpuIntervalPercent'],
])
