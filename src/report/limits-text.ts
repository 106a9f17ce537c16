import { type ServerLimits } from '../results/schema/servers.ts'

/** Limits as text: "0.5 CPU, 512 MB, 500 IOPS". */
export function limitsText(limits: ServerLimits): string {
  const { cpus, memoryMB, readIops, writeIops, readMBps, writeMBps } = limits
  return [
    ...(cpus === null ? [] : [`${cpus} ${cpus > 1 ? 'CPUs' : 'CPU'}`]),
    ...(memoryMB === null ? [] : [`${memoryMB} MB`]),
    ...ofDisk(readIops, writeIops, 'IOPS'),
    ...ofDisk(readMBps, writeMBps, 'MB/s'),
  ].join(', ')
}

function ofDisk(read: number | null, write: number | null, unit: string): readonly string[] {
  if (read !== null && read === write) return [`${read} ${unit}`]
  return [...(read === null ? [] : [`${read} read ${unit}`]), ...(write === null ? [] : [`${write} write ${unit}`])]
}
