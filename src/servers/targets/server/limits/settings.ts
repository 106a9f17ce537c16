import { type ServerLimits } from './server-limits.ts'

/** Value to write into one file of a group. */
export type Setting = {
  readonly file: string
  readonly value: string
  /** Not every kernel has the file. */
  readonly ifThere?: true
}

/** A group that is to be made for one server. */
export type GroupPlan = {
  /** Folder of the group that it will be in. */
  readonly parent: string
  readonly settings: readonly Setting[]
}

const usualPeriodUs = 10_000
/** The kernel refuses a smaller one. */
const minQuotaUs = 1_000

/**
 * Period of the CPU quota in µs: in each, a server may run for its share, and then waits for the next. The kernel's own default
 * of 100 ms would show in high percentiles: 10 ms, or as much more as the smallest quota takes.
 */
export const cpuPeriodUs = (cpus: number): number => Math.max(usualPeriodUs, Math.ceil(minQuotaUs / cpus))

/** Converts a number of CPUs to a CPU quota in µs per period. */
export const cpuQuotaUs = (cpus: number): number => Math.round(cpus * cpuPeriodUs(cpus))

/** Converts MB (1024 × 1024 bytes) to bytes. */
export const bytesOfMB = (megabytes: number): number => Math.round(megabytes * 1024 ** 2)

/** The limits of a disk under both versions' names, as numbers of operations or bytes per second. Only those that are given. */
export function diskRates({ readIops, writeIops, readMBps, writeMBps }: ServerLimits) {
  const rates = [
    { v1: 'read_iops', v2: 'riops', perSecond: readIops },
    { v1: 'write_iops', v2: 'wiops', perSecond: writeIops },
    { v1: 'read_bps', v2: 'rbps', perSecond: readMBps === null ? null : bytesOfMB(readMBps) },
    { v1: 'write_bps', v2: 'wbps', perSecond: writeMBps === null ? null : bytesOfMB(writeMBps) },
  ]
  return rates.filter(({ perSecond }) => perSecond !== null)
}
