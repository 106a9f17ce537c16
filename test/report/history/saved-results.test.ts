import { gunzipSync } from 'node:zlib'
import { calculateObjectSize } from 'bson'
import { expect, test } from 'vitest'
import { createHistoryEntry } from '../../../src/report/history/entry.ts'
import { createSavedResult } from '../../../src/report/history/saved-results.ts'
import { unpackResult } from '../../../src/results/files/pack-result.ts'
import { validateResult } from '../../../src/results/files/results-file.ts'
import { type Result } from '../../../src/results/schema.ts'
import { reachCollection } from '../../../src/servers/targets/existing/outside-collection.ts'
import { phaseWith, resultWith } from '../../fakes/compared-results.ts'
import { fakeOperation, fakeResult, fakeVariant } from '../../fakes/fake-result.ts'

const unpacked = (file: Buffer): Result =>
  validateResult('saved', unpackResult(JSON.parse(String(gunzipSync(file))) as Record<string, unknown>))

test('a saved result has its figures as fields to query, and its file', () => {
  const result = resultWith({ 'batch 1': [1000, 1010], 'batch 10': [400, 410] })
  const { date, rows, result: file, ...fields } = createSavedResult(result, 'abc1234')
  const entry = createHistoryEntry(result, 'abc1234')
  expect(date).toEqual(new Date(result.startedAt))
  expect(rows).toHaveLength(2)
  expect(rows[1]).toMatchObject({
    row: 'batch 10',
    values: [{ metric: 'opsPerSecond', ...entry.rows[1]?.values['opsPerSecond'] }, {}, {}, {}],
  })
  expect(fields).toMatchObject({ commit: 'abc1234', spec: entry.spec, machine: entry.machine, compact: false })
  expect(unpacked(file)).toEqual(result)
})

test('a result that is too large for a document is saved in its compact form, and refused where that is too large', () => {
  // What has no pattern cannot be compressed.
  const ok = Array.from({ length: 2000 }, (_, second) => (second * 48_271) % 65_537)
  const { perSecond } = fakeOperation({ seconds: 2000 })
  const operations = [fakeOperation({ perSecond: { ...perSecond, ok } })]
  const result = fakeResult({ variants: [fakeVariant({ phases: [phaseWith(1000, { operations })] })] })
  const size = calculateObjectSize(createSavedResult(result, null))
  const { compact, result: file } = createSavedResult(result, null, size - 1)
  expect([compact, unpacked(file).variants[0]?.phases[0]?.operations[0]?.perSecond.ok]).toEqual([true, []])
  expect(() => createSavedResult(result, null, 100)).toSay('saved-result-too-large')
})

test.each(['/', '/perf', '/perf.', '/.results', '/perf.a%2Fb'])(
  'the URI mongodb://ann:secret@127.0.0.1:1%s names no collection, and is not repeated',
  async (path) =>
    await expect(reachCollection(`mongodb://ann:secret@127.0.0.1:1${path}`, '--save')).rejects.toSay(
      'saved-results-nowhere',
    ),
)
