import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { type Result } from '../../src/results/schema.ts'
import { type Workplace, workplace } from '../contract/support/program.ts'

const maxMs = 600_000

/** The checks of all rows, with what they found. */
const verdictsOf = ({ variants }: Result): readonly string[] =>
  variants.flatMap(({ checks }) => checks.map(({ name, status }) => `${name} ${status}`))

const reportOf = (place: Workplace, name: string): Promise<string> =>
  readFile(path.join(place.folder, 'mongo-perf-results', name, 'report.md'), 'utf8')

test(
  'bank transfers are counted, judged, sized and set beside the published figures',
  async () => {
    await using place = await workplace()
    const ended = await place.run(['run', 'bank-transfers/transfers', '--profile', 'smoke', '--reference'])
    expect({ code: ended.code, stderr: ended.stderr }).toEqual({ code: 0, stderr: ended.stderr })
    const result = await place.result('transfers')
    expect(result.variants).toHaveLength(5)
    for (const { phases, storage } of result.variants) {
      const [transfer] = phases[1]?.operations ?? []
      const { commits = 0, aborted = 0 } = transfer?.transaction ?? {}
      expect(commits + aborted).toBe(60)
      expect(transfer?.ok).toBe(commits)
      expect(storage?.collections.map(({ collection }) => collection)).toEqual(['accounts', 'transfers'])
    }
    expect(new Set(verdictsOf(result))).toEqual(new Set(['total held', 'journal held']))
    expect(ended.stdout.split(/(?<=\.) /)).toHaveLine('reference-transfers-meaning')
    expect(await reportOf(place, 'transfers')).not.toMatch(/undefined|NaN|\[object|\{\{|not measured(?! \()/)
    expect(place.servers()).toEqual([])
  },
  maxMs,
)

test(
  'the best number of clients is among those that were tried, and the chart marks it',
  async () => {
    await using place = await workplace()
    const ended = await place.run(['run', 'bank-transfers/clients', '--profile', 'smoke'])
    expect({ code: ended.code, stderr: ended.stderr }).toEqual({ code: 0, stderr: ended.stderr })
    const result = await place.result('clients')
    for (const { phases } of result.variants) {
      const { windows = [], outcome = null } = phases[0] ?? {}
      expect(windows.map(({ at }) => at)).toContain(outcome?.found)
    }
    expect(new Set(verdictsOf(result))).toEqual(new Set(['total held', 'journal held']))
    expect(ended.stdout).toMatch(/ alt="Line chart: Transactions per second by clients.* \(best\)/)
    expect(await reportOf(place, 'clients')).not.toMatch(/undefined|NaN|\[object|\{\{|not measured(?! \()/)
  },
  maxMs,
)

test(
  'what a majority has acknowledged survives a killed primary and random faults',
  async () => {
    await using place = await workplace()
    const ended = await place.run(['run', 'failover/failover', 'failover/random-faults', '--profile', 'smoke'])
    expect({ code: ended.code, stderr: ended.stderr }).toEqual({ code: 0, stderr: ended.stderr })
    const failover = await place.result('failover')
    const errors = failover.variants.map(({ phases }) => phases[0]?.faults[0]?.occurrences[0]?.error)
    expect(errors.filter((error) => error !== null)).toEqual([])
    const safe = failover.variants.filter(({ parameters }) => parameters['writeConcern']?.label === 'w:majority')
    expect(new Set(safe.map(({ checks }) => checks[0]?.status))).toEqual(new Set(['held']))
    const killed = failover.variants.filter(({ label }) => label.includes('kill'))
    for (const { phases } of killed) expect(phases[0]?.availability[0]?.newPrimaryMs).toBeGreaterThan(0)
    expect(verdictsOf(await place.result('random-faults'))).toEqual(['total held', 'journal held', 'survive held'])
    expect(place.servers()).toEqual([])
  },
  maxMs,
)
