import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Problem } from '../../../src/core/errors.ts'
import { loadSpecText } from '../../../src/spec/load-spec.ts'
import { largestSpecBytes } from '../../../src/spec/parse/parse-json.ts'
import { fail } from '../../fakes/fail.ts'

const folder = 'fixtures/invalid-specs'
const names = readdirSync(folder).flatMap((file) => (file.endsWith('.json') ? [file.slice(0, -5)] : []))

/** What a user sees of it. */
function shown(text: string, file: string): string {
  try {
    loadSpecText(text, file)
  } catch (error) {
    if (error instanceof Problem) return `${error.message}\nhint: ${error.hint}\n`
    throw error
  }
  return fail(`${file} is right`)
}

// After a wanted change of a text: npx vitest run --project unit --update=true test/spec/schema/invalid-specs.test.ts
describe.each(names)('%s', (name) => {
  test('has the agreed error messages', async () => {
    const text = readFileSync(`${folder}/${name}.json`, 'utf8')
    await expect(shown(text, `${name}.json`)).toMatchFileSnapshot(resolve(folder, `${name}.txt`))
  })

  test('has errors at positions in the file', () => {
    const text = readFileSync(`${folder}/${name}.json`, 'utf8')
    const lines = text.split('\n')
    const [, ...errors] = shown(text, `${name}.json`).split('\n').toReversed()
    const places = errors.slice(1).map((line) => /^[\w-]+\.json:(\d+):(\d+): /.exec(line))
    for (const place of places)
      expect(lines[Number(place?.[1]) - 1]?.length).toBeGreaterThanOrEqual(Number(place?.[2]) - 1)
    expect(places.length).toBeGreaterThan(0)
  })
})

test('every text belongs to a spec', () => {
  const texts = readdirSync(folder).flatMap((file) => (file.endsWith('.txt') ? [file.slice(0, -4)] : []))
  expect(texts.filter((name) => !existsSync(`${folder}/${name}.json`))).toEqual([])
})

test('a spec that is too large is refused before it is read', () => {
  const text = `{"name": "${'x'.repeat(largestSpecBytes)}"`
  expect(shown(text, 'large.json')).toSay('spec-file-too-large')
})

test('a spec that is too deep is refused before it is read', () =>
  expect(shown('[\n'.repeat(10_000), 'deep.json')).toSay('spec-file-too-deep'))

test('of ten thousand issues a thousand are reported, quickly', () => {
  const text = `[${'{"@xyzxyz":1},'.repeat(10_000)}1]`
  const lines = shown(`{"name":"many","phases":${text}}`, 'many.json').split('\n')
  expect(lines).toHaveLength(1000 + 2)
  expect(lines[0]).toSay('spec-keyword-unknown')
})
