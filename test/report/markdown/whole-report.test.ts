import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compareResults } from '../../../src/report/comparison/compare-results.ts'
import { comparisonText } from '../../../src/report/comparison/text.ts'
import { blocksIn, parseDocument } from '../../../src/report/document/parse-document.ts'
import { newDocument, updateDocument } from '../../../src/report/document/update-document.ts'
import { renderReport } from '../../../src/report/report.ts'
import { type Result } from '../../../src/results/schema.ts'
import { exampleAfter, exampleBefore } from '../../fakes/compared-results.ts'
import { fakePhase, fakeResult, fakeVariant } from '../../fakes/fake-result.ts'
import { forAll } from '../../fakes/for-all.ts'
import { propertyRuns } from '../../property-runs.ts'
import { aSection } from '../document/a-section.ts'
import { renderer, someText } from './nasty-texts.ts'

/** A result in which everything that people name has this name. */
function resultNamed(text: string): Result {
  const warnings = [{ code: 'odd', message: text, advice: text }]
  const check = {
    name: text,
    kind: 'query',
    status: 'violated',
    reason: text,
    evidence: [text],
    measures: { [text]: 1 },
  }
  const variant = (row: number) =>
    fakeVariant({
      row,
      label: `${row}: ${text}`,
      facts: { [`of ${text}`]: text },
      checks: [check as never],
      phases: [fakePhase({ warnings })],
    })
  const table = {
    title: text,
    columns: [
      { parameter: 'label', title: text },
      { metric: 'opsPerSecond', title: text },
    ],
  }
  const charts = [{ kind: 'line', x: 'second', y: ['opsPerSecond'], title: text }]
  return fakeResult({
    status: 'aborted',
    warnings,
    spec: { title: text, rows: 2, report: { tables: [table, { ...table, transpose: true }], charts } as never },
    variants: [variant(0), variant(1)],
  })
}

/** The blocks of a Markdown text, and the tags in it. */
const shapeOf = (markdown: string): readonly string[] =>
  renderer
    .parse(markdown, {})
    .flatMap(({ type, tag, content, children }) =>
      [type === 'html_block' ? content.replaceAll(/[ \w]+="[^"]*"/g, '').trim() : `${type} ${tag}`].concat(
        (children ?? []).flatMap((inline) => (/html|link/.test(inline.type) ? inline.type : [])),
      ),
    )

/** The same of a document: its markers have names that are made of titles, and its findings are Markdown, which may hold links. */
const shapeOfDocument = (document: string): readonly string[] =>
  shapeOf(document)
    .filter((shape) => !shape.startsWith('link_'))
    .map((shape) => shape.replace(/^<!-- (\/?)mongo-perf [^\n]*-->$/, '$1marker'))

/** The same of each text of a report. */
const shapesOf = (text: string): readonly (readonly string[])[] => {
  const { markdown, summary } = renderReport(resultNamed(text))
  return [markdown, summary].map(shapeOf)
}

/** A document with a report and its finding in it, and a section after it. */
const documentOf = (text: string): string => {
  const { tree } = renderReport(resultNamed(text))
  const section = { ...aSection('named', {}), section: { ...tree, name: 'named' } }
  const finding = { finding: text, ratio: text, limit: text }
  const measured = { ...section.measured, ...finding }
  const next = aSection('next', { description: 'Mine.' })
  const page = `${newDocument}\n<!-- mongo-perf @findings -->\n<!-- /mongo-perf @findings -->\n`
  const { text: updated } = updateDocument(page, [{ ...section, measured }, next])
  expect(updateDocument(updated, []).text).toBe(updated)
  return updated
}

/** Few: whole reports are written in each. */
const numRuns = propertyRuns / 4

const comparison = compareResults(exampleBefore, exampleAfter)

describe('whatever people call things,', () => {
  test('a report has the blocks of any other', () => {
    const expected = shapesOf('a name')
    fc.assert(
      fc.property(someText, (text) => {
        expect(shapesOf(text)).toEqual(expected)
      }),
      { numRuns },
    )
  })

  test('a document has the blocks and the markers of any other', () => {
    const expected = shapeOfDocument(documentOf('a name'))
    fc.assert(
      fc.property(someText, (text) => {
        const document = documentOf(text)
        expect(shapeOfDocument(document)).toEqual(expected)
        const blocks = blocksIn(parseDocument(document, 'd'))
        expect(blocks.at(-1)?.name).toBe('next/description')
        expect(blocks.find(({ attributes }) => 'finding' in attributes)?.attributes).toMatchObject({
          finding: text.replaceAll(/\s*[\r\n]+\s*/g, ' '),
        })
      }),
      { numRuns },
    )
  })

  test.each(['text', 'github'] as const)('a comparison (%s) has the blocks of any other', (format) => {
    const named = (text: string): string => {
      const explanations = [{ spec: text, row: text, texts: [text, text] }]
      const figures = comparison.figures.map((figure, index) =>
        Object.assign({}, figure, { row: `${index} ${text}`, title: text, spec: text }),
      )
      const settings = { a: [text], b: [text, text] }
      return comparisonText({ ...comparison, figures, settings, explanations, limits: [text] }, format)
    }
    const expected = shapeOf(named('a name'))
    forAll(someText, (text) => {
      expect(shapeOf(named(text))).toEqual(expected)
    })
  })
})
