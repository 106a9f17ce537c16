import { expect, test } from 'vitest'
import { updateDocument, type DocumentSection } from '../../../src/report/document/update-document.ts'
import { aSection } from './a-section.ts'

const withFindings = '# Page\n\n<!-- mongo-perf @findings -->\n<!-- /mongo-perf @findings -->\n'

const found = (name: string, finding: string, ratio: string): DocumentSection => {
  const section = aSection(name, { description: 'Why.', measured: '_Today._' })
  return { ...section, measured: { ...section.measured, finding, ratio, limit: 'server CPU (97 %)' } }
}

const tableIn = (text: string): readonly string[] =>
  (/@findings -->\n([^]*?)<!-- \/mongo-perf @findings/.exec(text)?.[1] ?? '')
    .trimEnd()
    .split('\n')
    .map((line) => line.replaceAll(/ +/g, ' ').replaceAll(/-+:/g, '-:'))

test('the findings of all sections stand in one table, with links to the sections', () => {
  const first = updateDocument(withFindings, [found('insert', 'Batches of "1000" > 1', '5.3 times (5.0 to 5.6)')]).text
  const both = updateDocument(first, [
    aSection('queue', { description: 'Queues.', measured: '_Now._' }),
    found('read', 'Not cached', '0.16 times | less'),
  ]).text
  expect(tableIn(both)).toSay('document-findings')
  expect(updateDocument(both, []).text).toBe(both)
})

test('without findings the block is empty', () =>
  expect(updateDocument(withFindings, [aSection('insert', { measured: '_Today._' })]).text).toContain(
    '<!-- mongo-perf @findings -->\n<!-- /mongo-perf @findings -->',
  ))
