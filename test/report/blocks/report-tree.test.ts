import { describe, expect, test } from 'vitest'
import { type Block, type ReportTree } from '../../../src/report/blocks/block.ts'
import { renderReport } from '../../../src/report/report.ts'
import { fakeResult, fakeVariant } from '../../fakes/fake-result.ts'
import { storedResult, storedResults } from '../../fakes/stored-results.ts'

const blocksOf = ({ sections }: ReportTree): readonly Block[] => sections.flatMap(({ blocks }) => blocks)

describe.each(storedResults)('the tree of %s', (name) => {
  const { tree, csv, charts } = renderReport(storedResult(name))

  test('is plain data', () => expect(JSON.parse(JSON.stringify(tree))).toEqual(tree))

  test('has sections with distinct keys, and none without blocks', () => {
    const keys = tree.sections.map(({ key }) => key)
    expect(new Set(keys).size).toBe(keys.length)
    expect(tree.sections.filter(({ blocks }) => blocks.length === 0)).toEqual([])
  })

  test('has every measured table and every chart', () => {
    const blocks = blocksOf(tree)
    expect(blocks.filter(({ kind }) => kind === 'chart')).toHaveLength(charts.length)
    expect(blocks.filter(({ kind }) => kind === 'table' || kind === 'folded').length).toBeGreaterThan(csv.length)
  })
})

test('texts that people wrote are in the tree as they wrote them', () => {
  const text = '<b> | `x`'
  const { tree } = renderReport(
    fakeResult({ spec: { title: text, description: text }, variants: [fakeVariant({ label: text })] }),
  )
  expect(tree.title).toBe(text)
  expect(blocksOf(tree)).toContainEqual({ kind: 'prose', markdown: text })
})

test('numbers are in the tree as numbers', () => {
  const { tree } = renderReport(
    fakeResult({ spec: { report: { tables: [{ title: 'T', columns: ['opsPerSecond'] }], charts: [] } as never } }),
  )
  const [block] = tree.sections.find(({ key }) => key === 't')?.blocks ?? []
  expect(block).toMatchObject({ kind: 'table', table: { rows: [{ cells: [expect.any(Number)] }] } })
})
