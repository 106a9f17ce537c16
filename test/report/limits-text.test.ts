import { expect, test } from 'vitest'
import { limitsText } from '../../src/report/prose/limits-text.ts'
import { type ServerLimits } from '../../src/results/schema/servers.ts'
import { noLimits } from '../fakes/no-limits.ts'

test.each<[string, Partial<ServerLimits>]>([
  ['0.5 CPU, 512 MB, 500 IOPS', { cpus: 0.5, memoryMB: 512, readIops: 500, writeIops: 500 }],
  ['1 CPU', { cpus: 1 }],
  ['2 CPUs', { cpus: 2 }],
  ['0.5 CPU (period 10 ms), 512 MB', { cpus: 0.5, cpuPeriodMs: 10, memoryMB: 512 }],
  ['0.03 CPU (period 33.3 ms)', { cpus: 0.03, cpuPeriodMs: 33.334 }],
  ['500 read IOPS', { readIops: 500 }],
  ['500 read IOPS, 100 write IOPS, 5 MB/s', { readIops: 500, writeIops: 100, readMBps: 5, writeMBps: 5 }],
  ['2.5 write MB/s', { writeMBps: 2.5 }],
])('%s', (text, limits) => expect(limitsText({ ...noLimits, ...limits })).toBe(text))
