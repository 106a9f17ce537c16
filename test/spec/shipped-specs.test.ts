import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { isObject, type JsonObject } from '../../src/json.ts'
import { loadSpecFile } from '../../src/load-spec.ts'
import { readDocument } from '../../src/report/published/documents.ts'
import { fail } from '../fakes/fail.ts'

const folder = 'fixtures/specs'
const tables = path.join(folder, 'performance-tables')
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.json'))

const profilesOf = (file: string): readonly string[] => {
  const { profiles = {} } = JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as JsonObject
  return isObject(profiles) ? Object.keys(profiles) : []
}

describe.each(files)('%s', (file) => {
  test.each(profilesOf(file))('the profile %s is a whole spec', async (profile) => {
    const { rows } = await loadSpecFile(path.join(folder, file), { profile })
    expect(rows.length).toBeGreaterThan(0)
  })

  test('is named after its file', async () => {
    expect((await loadSpecFile(path.join(folder, file))).name).toBe(path.basename(file, '.json'))
  })
})

describe('the performance tables', () => {
  const sections = readdirSync(tables).filter((name) => name.endsWith('.json'))
  const loaded = sections.map((name) => loadSpecFile(path.join(tables, name)))

  test('have a spec for every published section, and the two that the document names but does not show', async () => {
    const published = (readDocument('performance-tables') ?? fail('not published')).sections.map(({ title }) => title)
    const titles = (await Promise.all(loaded)).map(({ title }) => title)
    expect(titles).toEqual(expect.arrayContaining(published))
    expect(titles).toHaveLength(published.length + 2)
  })

  test.each(sections)('%s has all parts of a section, and three profiles', async (name) => {
    const { rows, description } = await loadSpecFile(path.join(tables, name))
    const [first = fail('no row')] = rows
    const { report, thresholds } = first.spec
    const titles = report.tables?.map(({ title }) => title)
    expect(titles?.slice(0, 4)).toEqual(['Base Instance', 'Performance', 'Resource Usage', 'Cost per Operation'])
    expect([description, report.analysis, report.keyTakeaways, report.charts].map(String)).not.toContain('undefined')
    expect(thresholds.map(({ holds }) => holds)).toContain('errors == 0')
    expect(profilesOf(path.join('performance-tables', name))).toEqual(['published', 'smoke'])
  })

  test.each(sections)('%s has the published rows in the published profile', async (name) => {
    const { rows } = await loadSpecFile(path.join(tables, name), { profile: 'published' })
    const here = await loadSpecFile(path.join(tables, name))
    // The queue has more workers there.
    expect(rows.length).toBeGreaterThanOrEqual(here.rows.length)
    for (const { spec } of rows) expect(spec.target.kind).toBe('existing')
  })
})

describe('the stress test', () => {
  const own = path.join(folder, 'stress-test')
  const load = (name: string, overrides?: Parameters<typeof loadSpecFile>[1]) =>
    loadSpecFile(path.join(own, `${name}.json`), overrides)
  const documentsOf = async (profile: string | undefined, name: string): Promise<unknown> => {
    const { rows } = await load(name, { profile })
    return rows[0]?.parameters.get('documents')?.value
  }

  test.each([
    ['single-in-memory', 8192, 100_000],
    ['single-on-disk', 23_808, 1_048_576],
    ['replica-set', 4096, 1_048_576],
  ])('%s has sizes for a laptop, and the published ones', async (name, here, published) => {
    expect(await documentsOf(undefined, name)).toBe(here)
    expect(await documentsOf('published', name)).toBe(published)
  })

  const foldersOf = async (set: Readonly<Record<string, readonly string[]>>): Promise<unknown> => {
    const { rows } = await load('replica-set', { set })
    const [first = fail('no row')] = rows
    const { target } = first.spec
    return target.kind === 'replicaSet' ? target.members.map(({ server }) => server?.dbPath) : target.kind
  }

  test('writes to the folders that it is given, and to temporary ones where there are none', async () => {
    expect(await foldersOf({})).toEqual(Array.from({ length: 5 }, () => undefined))
    expect(await foldersOf({ drives: ['/a', '/b'] })).toEqual(['/a', '/b', undefined, undefined, undefined])
  })

  test('makes capped collections a little larger than the data, and says so to nobody else', async () => {
    const { rows } = await load('single-in-memory')
    const options = rows.map(({ spec }) => spec.data[0]?.options)
    const capped = { capped: true, size: Math.ceil(1.02 * 8192 * 16_384) }
    expect(options.slice(0, 4)).toEqual(Array.from({ length: 4 }, () => ({ capped: false })))
    expect(options.slice(4)).toEqual(Array.from({ length: 4 }, () => capped))
  })
})
