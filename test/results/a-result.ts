import { type Result } from '../../src/results/schema.ts'
import { resultVersion } from '../../src/results/version.ts'

/** The smallest whole result. */
export function aResult(change: Partial<Result> = {}): Result {
  return {
    format: 'mongo-perf-result',
    version: resultVersion,
    tool: { name: 'mongo-perf', version: '0.1.0' },
    spec: {
      name: 'insert-batch-size',
      title: 'Impact of client write batch size',
      description: '',
      hash: 'a'.repeat(64),
      seed: 1,
      profile: null,
      set: {},
      repeat: { times: 1, startUpRuns: 0 },
      rows: 1,
      varied: [],
      report: {},
      thresholds: [],
      effective: {},
    },
    environment: {
      host: {
        os: 'Linux 6.1.0',
        cpu: 'unknown',
        cores: 2,
        memoryMB: 1024,
        platform: 'linux-x64',
        motherboard: null,
        disks: [],
      },
      node: 'v20.20.2',
      driver: { name: 'mongodb', version: '7.8.0', options: { retryWrites: false } },
    },
    pairing: null,
    compact: false,
    status: 'done',
    startedAt: '2026-01-01T00:00:00.000Z',
    finishedAt: '2026-01-01T00:01:00.000Z',
    variants: [],
    warnings: [],
    ...change,
  }
}
