import { type LiveEvent, type LiveSecond, type LiveServer } from '../../../src/run/live/live-events.ts'

export const aRow = { label: '10', number: 2, of: 6 }

export const aServer: LiveServer = {
  member: 'member0',
  role: 'primary',
  cpuPercent: 85,
  cacheBytes: 412 * 2 ** 20,
  cacheMaxBytes: 2 ** 30,
  cacheDirtyBytes: 1.25 * 2 ** 20,
}

/** A second in which 1000 operations succeeded, and one failed. */
export const aSecond = (changes: Partial<LiveSecond> = {}): LiveEvent & LiveSecond => ({
  time: '2026-11-23T18:00:00.000Z',
  kind: 'second',
  row: aRow,
  phase: 'insert',
  pass: 'measured',
  second: 0,
  lengthSeconds: 1,
  ok: 1000,
  failed: 1,
  unknown: 0,
  latency: { p50Ms: 1.234, p99Ms: 4.217, maxMs: 9 },
  operations: [
    {
      name: 'insertOne',
      ok: 1000,
      failed: 1,
      unknown: 0,
      latency: { p50Ms: 1.234, p99Ms: 4.217, maxMs: 9 },
      sumMs: 1500,
      distribution: [
        { upToMs: 2, calls: 900 },
        { upToMs: 5, calls: 0 },
        { upToMs: 10, calls: 100 },
      ],
    },
  ],
  workers: 16,
  inFlight: 15,
  openLoop: null,
  servers: [aServer],
  ...changes,
})
