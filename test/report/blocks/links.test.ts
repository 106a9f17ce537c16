import { describe, expect, test } from 'vitest'
import { renderReport } from '../../../src/report/report.ts'
import { type VariantResult } from '../../../src/results/schema.ts'
import { type AchievedLinks } from '../../../src/results/schema/servers.ts'
import { compactRow } from '../../../src/run/compact-row.ts'
import { fakeMember, fakePhase, fakeResult, fakeVariant } from '../../fakes/fake-result.ts'

const { server } = fakeVariant()

const far = { from: 'client', to: 'member1', rttMs: 71.187, jitterMs: 0, delayed: true, achievedMs: 71.4321 }
const near = { ...far, to: 'member0', rttMs: 0.864, delayed: false, achievedMs: 0.21987 }
const between = { ...far, from: 'member0', rttMs: 20, jitterMs: 4, achievedMs: 22.345 }

const linksOf = (pairs: readonly object[], ownCostMs: number | null = 0.21987): AchievedLinks =>
  ({ ownCostMs, pairs }) as AchievedLinks

const secondaryWith = (replicationLagMs: number | null) =>
  fakeMember({ member: 'member1', role: 'secondary', totals: { replicationLagMs } })

/** A row on a server with links, whose secondary lags behind by so much. */
const rowWith = (row: number, links: AchievedLinks | null, lagMs: number | null = 35): VariantResult =>
  fakeVariant({
    row,
    label: `row ${row}`,
    server: server && { ...server, links },
    phases: [fakePhase({ members: [fakeMember(), secondaryWith(lagMs)] })],
  })

const partOf = (variants: readonly VariantResult[]): string => {
  const { markdown } = renderReport(fakeResult({ variants: [...variants] }))
  return markdown.split('### Links\n\n')[1]?.split('\n### ')[0]?.trimEnd() ?? ''
}
const cellsOf = (text: string): readonly (readonly string[])[] =>
  [...text.matchAll(/^\| (?!--)(.*) \|$/gm)].map(([, cells = '']) => cells.split(' | ').map((cell) => cell.trim()))

describe('the links of a report', () => {
  test('are shown with requested and achieved times, and how far members lagged', () =>
    expect(cellsOf(partOf([rowWith(0, linksOf([near, far, between]))]))).toEqual([
      ['From', 'To', 'Requested round trip (ms)', 'Achieved (ms)', 'Replication lag (ms)'],
      ['client', 'member0', '0.864', '0.22', ''],
      ['client', 'member1', '71.187', '71.4', ''],
      ['member0', 'member1', '20 to 24', '22.3', '35'],
    ]))

  test('show that short ones have no added delay, and what the proxy itself costs', () => {
    const text = partOf([rowWith(0, linksOf([near, far]))])
    expect(text).toHaveLine('links-without-delay', { ms: '0.864', cost: '0.22' })
  })

  test('show no cost that could not be measured', () => {
    const text = partOf([rowWith(0, linksOf([far], null))])
    expect(text).toHaveLine('links-of-unknown-cost')
    expect(text).not.toContain('Links of')
  })

  test('have the median of the rows that asked for the same', () => {
    const achieved = [70, 72, 90].map((achievedMs, row) => rowWith(row, linksOf([{ ...far, achievedMs }])))
    expect(cellsOf(partOf(achieved))[1]).toEqual(['client', 'member1', '71.187', '72'])
    const lags = [10, 30, 50].map((lagMs, row) => rowWith(row, linksOf([between]), lagMs))
    expect(cellsOf(partOf(lags))[1]?.at(-1)).toBe('30')
  })

  test('name their rows where others have none, or other links', () => {
    const mixed = [null, far, far, between].map((pair, row) => rowWith(row, pair && linksOf([pair])))
    expect(cellsOf(partOf(mixed)).map(([rows]) => rows)).toEqual(['Rows', '2, 3', '4'])
  })

  test('have no column of which nothing is known', () => {
    const text = partOf([rowWith(0, linksOf([between]), null)])
    expect(cellsOf(text)[1]).toEqual(['member0', 'member1', '20 to 24', '22.3'])
    expect(text).not.toContain('Replication lag')
  })

  test('are the same of a compact result', () => {
    const row = rowWith(0, linksOf([near, between]))
    expect(partOf([compactRow(row, new Set())])).toBe(partOf([row]))
  })

  test('are no part of a report without any', () =>
    expect(renderReport(fakeResult({ variants: [rowWith(0, null)] })).markdown).not.toContain('### Links'))
})
