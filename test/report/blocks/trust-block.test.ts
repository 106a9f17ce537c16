import { describe, expect, test } from 'vitest'
import { type JudgedRow } from '../../../src/metrics/trust/judge.ts'
import { trustBlocks } from '../../../src/report/blocks/trust-block.ts'
import { blockHtml } from '../../../src/report/html/blocks.ts'
import { blocksMarkdown } from '../../../src/report/markdown/render.ts'
import { type MeasuredTable } from '../../../src/report/tables/measured.ts'
import { plainTable } from '../../../src/report/tables/table.ts'
import { type TrustLevel } from '../../../src/results/warnings/weights.ts'
import { aNote } from '../../fakes/a-note.ts'

function aRow(key: string, given: Partial<JudgedRow> = {}): JudgedRow {
  return { key, trust: { level: 'comparable', reason: null }, runs: [`${key}/1`, `${key}/2`], notes: [], ...given }
}

const aTable = (
  judged: readonly JudgedRow[],
  title = 'T',
  kind: MeasuredTable['kind'] = 'variants',
): MeasuredTable => ({ ...plainTable(title, [], []), kind, isFolded: false, judged })

const foldedWarnings = (tables: readonly MeasuredTable[]): string => blocksMarkdown(trustBlocks(tables))

const lineOf = (text: string): string | undefined => text.split('\n').find((line) => line.startsWith('- '))

const named = (kind: string, level: TrustLevel) => aNote({ kind, level, parts: [kind] })

const late = (ms: number, run: string) =>
  aNote({ kind: 'event-loop-delay', run, parts: ['It was ', { value: ms, unit: 'ms' }, ' late'] })

test('rows without warnings have one line, and no fold', () =>
  expect(foldedWarnings([aTable([aRow('0')])])).toBe('Trust in 1 row: 1 comparable.'))

test('its line counts the rows of each level, and the remarks', () => {
  const limited = aRow('1', {
    trust: { level: 'lower bound', reason: 'client 96 %' },
    notes: [aNote({ kind: 'client-limited', level: 'lower bound', run: '1/1' }), aNote({ run: '1/1' })],
  })
  const text = foldedWarnings([aTable([aRow('0'), limited]), aTable([limited], 'Other')])
  expect(text).toHaveLine('trust-summary')
})

const levelOf = (...rows: readonly JudgedRow[]): TrustLevel | undefined => trustBlocks([aTable(rows)])[0]?.level

test('its level is that of the worst row, which a minority of runs does not make worse', () => {
  const notes = [aNote({ kind: 'other-load', level: 'do not compare', run: '0/1' })]
  expect(levelOf(aRow('0', { notes }))).toBe('comparable')
  const limited = aRow('1', { trust: { level: 'lower bound', reason: 'client' } })
  expect(levelOf(aRow('0', { notes }), limited)).toBe('lower bound')
})

test('a warning of a minority of the runs is a remark, as the table says', () => {
  const notes = [aNote({ kind: 'other-load', level: 'do not compare', run: '0/1', parts: ['Others'] })]
  expect(lineOf(foldedWarnings([aTable([aRow('0', { notes })])]))).toSay('trust-remark-of-minority')
  const trust = { level: 'do not compare', reason: 'other load 60 %' } as const
  const others = [aNote({ kind: 'other-load', level: 'do not compare', run: '1/1', parts: ['Others'] })]
  const rows = [aRow('0', { notes }), aRow('1', { trust, notes: others })]
  expect(lineOf(foldedWarnings([aTable(rows)]))).toSay('trust-do-not-compare')
})

describe('a warning', () => {
  test('stands once, with the range of its figures, its rows and how many of their runs', () => {
    const notes = [late(207, '0/1'), late(340, '0/2')]
    const rows = [aRow('0', { notes }), aRow('1'), aRow('2', { notes: [late(250, '2/2')] })]
    const text = foldedWarnings([aTable(rows), aTable(rows, 'Other')])
    expect(text.match(/It was/g)).toHaveLength(1)
    expect(lineOf(text)).toSay('trust-remark-of-rows')
  })

  test('names rows that follow each other by the first and the last', () => {
    const rows = Array.from({ length: 9 }, (_, i) =>
      aRow(`${i}`, { runs: [`${i}/1`], notes: [0, 1, 2, 5, 6, 8].includes(i) ? [late(7, `${i}/1`)] : [] }),
    )
    expect(lineOf(foldedWarnings([aTable(rows)]))).toContain('(rows 1 to 3, 6, 7, 9)')
  })

  test('names all rows once, also where two tables show different phases of them', () => {
    const tables = ['write', 'read'].map((phase) =>
      aTable(
        ['0', '1'].map((key) =>
          aRow(key, { notes: [Object.assign(late(7, `${key}/1`), { about: `${key}/1/${phase}` })] }),
        ),
        phase,
      ),
    )
    expect(lineOf(foldedWarnings(tables))).toContain('(all rows; ')
  })

  test('names the table where its rows are not those of the first', () => {
    const first = aTable([aRow('0'), aRow('1')], 'Writes')
    const other = aTable([aRow('2', { notes: [late(7, '2/1')] }), aRow('3')], 'Reads')
    expect(lineOf(foldedWarnings([first, other]))).toContain('(row 1 of "Reads"; 1 of 2 runs)')
  })

  test('is about all rows, or the row', () => {
    const rows = ['0', '1'].map((key) => aRow(key, { runs: [`${key}/1`], notes: [late(7, `${key}/1`)] }))
    expect(lineOf(foldedWarnings([aTable(rows)]))).toContain('(all rows)')
    expect(lineOf(foldedWarnings([aTable(rows.slice(1))]))).toContain('(the row)')
  })

  test('whose message differs in more than figures shows the most frequent, and that there are others', () => {
    const notes = [aNote({ parts: ['A'], run: '0/1' }), aNote({ parts: ['B 7'], run: '0/2' })]
    expect(lineOf(foldedWarnings([aTable([aRow('0', { notes })])]))).toSay('trust-remark-of-several-messages')
  })
})

const aboutRun = (kind: string, level: TrustLevel, run: string) =>
  aNote({ code: kind, kind, level, parts: [kind], run, about: `${run}/read` })

test('a disturbance from outside leads, and what it explains in the same rows folds below it', () => {
  const trust = { level: 'do not compare', reason: 'other load 83 %' } as const
  const notes = [
    aboutRun('calls-dropped', 'do not compare', '0/1'),
    aboutRun('unsettled', 'comparable', '0/1'),
    aboutRun('checkpoint', 'comparable', '0/1'),
    aboutRun('other-load', 'do not compare', '0/1'),
    aboutRun('drifting', 'comparable', '0/1'),
  ]
  const elsewhere = [aboutRun('drifting', 'comparable', '1/1')]
  const rows = [aRow('0', { runs: ['0/1'], trust, notes }), aRow('1', { runs: ['1/1'], notes: elsewhere })]
  expect(foldedWarnings([aTable(rows)])).toSay('trust-cause-with-effects')
  const [html] = trustBlocks([aTable(rows)]).map(blockHtml)
  expect(html?.text).toMatch(/It explains 2 more.*calls-dropped.*unsettled/s)
})

test('the most severe come first, and those of a level in the order of their importance', () => {
  const notes = [
    named('unsettled', 'comparable'),
    named('client-limited', 'lower bound'),
    named('event-loop-delay', 'comparable'),
    named('errors', 'do not compare'),
  ]
  const trust = { level: 'do not compare', reason: 'errors' } as const
  const text = foldedWarnings([aTable([aRow('0', { notes, trust })])])
  const kinds = text.match(/errors|client-limited|event-loop-delay|unsettled/g)
  expect(kinds).toEqual(['errors', 'client-limited', 'event-loop-delay', 'unsettled'])
})
