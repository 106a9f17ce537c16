import { type ServerLimits } from '../../src/results/schema/servers.ts'

/** Limits of a server, as in a result, that limit nothing. */
export const noLimits: ServerLimits = {
  cpus: null,
  cpuPeriodMs: null,
  memoryMB: null,
  readIops: null,
  writeIops: null,
  readMBps: null,
  writeMBps: null,
}
