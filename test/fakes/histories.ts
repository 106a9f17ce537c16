import { type HistoryEntry } from '../../src/report/history/entry.ts'

/** Small noise that is the same every time. */
export const noisy = (level: number, run: number): number => level * (1 + 0.01 * Math.sin(run * 2.4))

/** A run of a spec on a day of November, by its operations per second in each row. */
export function fakeEntry(
  day: number,
  rows: Readonly<Record<string, number>>,
  given: Partial<HistoryEntry> = {},
): HistoryEntry {
  return {
    date: `2026-11-${String(day).padStart(2, '0')}T10:00:00.000Z`,
    commit: `abc${String(day).padStart(4, '0')}`,
    tool: '0.1.0',
    spec: { name: 'example', hash: 'a'.repeat(64) },
    machine: 'Fake CPU, 2 cores, 8 GB',
    server: 'MongoDB 6.0.5, wiredTiger; standalone',
    driver: 'mongodb 7.8.0',
    rows: Object.entries(rows).map(([row, speed]) => ({
      row,
      values: {
        opsPerSecond: { median: speed, low: speed * 0.97, high: speed * 1.02, runs: 8 },
        'findOne.p99Ms': { median: 8000 / speed, low: 7800 / speed, high: 8300 / speed, runs: 8 },
      },
    })),
    ...given,
  }
}

/** Twenty days; from day 13 on, the row "batch 10" is 12 % slower, at which a new server was there, and "batch 1" stays as it is. */
export const exampleHistory: readonly HistoryEntry[] = Array.from({ length: 20 }, (_, index) =>
  fakeEntry(
    index + 1,
    { 'batch 1': noisy(2000, index), 'batch 10': noisy(index < 12 ? 1200 : 1056, index + 3) },
    index < 12 ? {} : { server: 'MongoDB 7.0.1, wiredTiger; standalone' },
  ),
)
