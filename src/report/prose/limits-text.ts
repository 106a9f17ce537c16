import { type ServerLimits } from '../../results/schema/servers.ts'

/** Limits as text: "0.5 CPU (period 10 ms), 512 MB, 500 IOPS". */
export function limitsText(limits: ServerLimits): string {
  const { cpus, cpuPeriodMs, memoryMB, readIops, writeIops, readMBps, writeMBps } = limits
  return [
    ...(cpus === null ? [] : [`${cpus} ${cpus > 1 ? 'CPUs' : 'CPU'}${periodText(cpuPeriodMs)}`]),
    ...(memoryMB === null ? [] : [`${memoryMB} MB`]),
    ...ofDisk(readIops, writeIops, 'IOPS'),
    ...ofDisk(readMBps, writeMBps, 'MB/s'),
  ].join(', ')
}

/** Servers that were held to a limit of the CPU wait for the next period, which shows in high percentiles. */
const periodText = (periodMs: number | null): string =>
  periodMs === null ? '' : ` (period ${Number(periodMs.toFixed(1))} ms)`

function ofDisk(read: number | null, write: number | null, unit: string): readonly string[] {
  if (read !== null && read === write) return [`${read} ${unit}`]
  return [...(read === null ? [] : [`${read} read ${unit}`]), ...(write === null ? [] : [`${write} write ${unit}`])]
}
