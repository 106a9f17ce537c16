import { existsSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { checkProse, hashOfResult } from '../../src/report/document/document-file.ts'
import { blocksIn, parseDocument } from '../../src/report/document/parse-document.ts'
import { madeBlocks, parseProseSource } from '../../src/report/document/sources.ts'
import { readResult } from '../../src/results/files/results-file.ts'
import { loadSpecFile } from '../../src/spec/load-spec.ts'

const root = path.resolve(import.meta.dirname, '../..')
const file = path.join(root, 'PERFORMANCE.md')
const text = readFileSync(file, 'utf8')
const document = parseDocument(text, file)
const blocks = madeBlocks(document)
const results = [...new Set(blocks.map(({ source }) => source.path))]

test('PERFORMANCE.md shows all fourteen tables as their results have them', async () => {
  const hashes = new Map<string, string | null>()
  for (const result of results) hashes.set(result, await hashOfResult(file, result))
  expect(results).toHaveLength(14)
  expect(blocks.filter(({ source }) => hashes.get(source.path) !== source.sha256)).toEqual([])
})

test('its results are those of the specs that ship, with their default sizes and the engine that was used', async () => {
  for (const result of results) {
    const { spec, variants } = await readResult(path.join(root, result))
    const engine = variants[0]?.phases[0]?.engine
    const shippedFile = path.join(root, 'fixtures/specs/performance-tables', `${spec.name}.json`)
    const shipped = await loadSpecFile(shippedFile, { engine })
    expect({ name: spec.name, hash: spec.hash }).toEqual({ name: shipped.name, hash: shipped.hash })
  }
})

test('each of its pictures is there, with words for those who do not see it', () => {
  const pictures = [...text.matchAll(/srcset="(.*?)"><img alt="(.*?)" src="(.*?)">/g)]
  expect(pictures).toHaveLength(results.length)
  for (const [, dark = '', words = '', light = ''] of pictures) {
    expect(words.length).toBeGreaterThan(20)
    for (const picture of [light, dark]) expect(existsSync(path.join(root, picture)) ? '' : picture).toBe('')
  }
})

test('it takes 70 KB at most', () => expect(Buffer.byteLength(text)).toBeLessThanOrEqual(70 * 1024))

test('its sections have texts of their own, which are true of the results', async () => {
  expect(blocksIn(document).filter((block) => parseProseSource(block) !== null)).toHaveLength(14)
  expect(await checkProse(document)).toEqual([])
})

// 696 runs with histograms, of which percentiles over runs are made.
test('its results take 4 MB at most', () => {
  const bytes = results.reduce((sum, result) => sum + statSync(path.join(root, result)).size, 0)
  expect(bytes).toBeLessThan(4 * 1024 ** 2)
})
