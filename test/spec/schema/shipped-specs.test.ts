import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { isObject, type JsonObject } from '../../../src/core/json.ts'
import { faultKinds } from '../../../src/servers/faults/index.ts'
import { type LoadedSpec, loadSpecFile } from '../../../src/spec/load-spec.ts'
import { readDocument } from '../../../src/spec/published/find-table.ts'
import { minRounds } from '../../../src/statistics/estimate.ts'
import { fail } from '../../fakes/fail.ts'

const folder = 'fixtures/specs'
const tables = 'performance-tables'
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.json'))

const profilesOf = (file: string): readonly string[] => {
  const { profiles = {} } = JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as JsonObject
  return isObject(profiles) ? Object.keys(profiles) : []
}

const loading = new Map<string, Promise<LoadedSpec>>()
afterAll(() => loading.clear())

/** Loads a shipped spec once for all tests, with each of its profiles. */
function loadShipped(file: string, { profile }: { readonly profile?: string } = {}): Promise<LoadedSpec> {
  const key = JSON.stringify([file, profile])
  const loaded = loading.get(key) ?? loadSpecFile(path.join(folder, file), { profile })
  loading.set(key, loaded)
  return loaded
}

describe.each(files)('%s', (file) => {
  test.each(profilesOf(file))('the profile %s is a whole spec', async (profile) => {
    const { rows } = await loadShipped(file, { profile })
    expect(rows.length).toBeGreaterThan(0)
  })

  test('is named after its file, perhaps with its folder', async () => {
    const names = [path.basename(file, '.json'), file.replace(/\.json$/, '').replaceAll(path.sep, '-')]
    expect(names).toContain((await loadShipped(file)).name)
  })
})

describe('the performance tables', () => {
  const sections = readdirSync(path.join(folder, tables)).filter((name) => name.endsWith('.json'))
  const loaded = sections.map((name) => loadShipped(path.join(tables, name)))

  test('have a spec for every published section, and the two that the document names but does not show', async () => {
    const published = (readDocument('performance-tables') ?? fail('not published')).sections.map(({ title }) => title)
    const titles = (await Promise.all(loaded)).map(({ title }) => title)
    expect(titles).toEqual(expect.arrayContaining(published))
    expect(titles).toHaveLength(published.length + 2)
  })

  test.each(sections)('%s has all parts of a section, and three profiles', async (name) => {
    const { rows, description } = await loadShipped(path.join(tables, name))
    const [first = fail('no row')] = rows
    const { report, thresholds } = first.spec
    const titles = report.tables?.map(({ title }) => title)
    expect(titles?.slice(0, 4)).toEqual(['Base Instance', 'Performance', 'Resource Usage', 'Cost per Operation'])
    expect(
      [description, report.analysis, report.keyTakeaways, report.charts].map((part) => JSON.stringify(part)),
    ).not.toContain('undefined')
    expect(thresholds.map(({ holds }) => holds)).toContain('errors == 0')
    expect(profilesOf(path.join(tables, name))).toEqual(['published', 'smoke'])
  })

  test.each(sections)('%s has the published rows in the published profile', async (name) => {
    const { rows } = await loadShipped(path.join(tables, name), { profile: 'published' })
    const here = await loadShipped(path.join(tables, name))
    // The queue has more workers there, and a server that exists keeps its cache.
    const sameCache = here.rows.filter(({ label }) => !label.includes('cache of'))
    expect(rows.length).toBeGreaterThanOrEqual(sameCache.length)
    for (const { spec } of rows) expect(spec.target.kind).toBe('existing')
  })

  test.each(sections)('%s does not describe servers of mongo-perf where existing ones are measured', async (name) => {
    const { rows, description } = await loadShipped(path.join(tables, name), { profile: 'published' })
    const { analysis, keyTakeaways } = rows[0]?.spec.report ?? fail('no row')
    expect(JSON.stringify([description, analysis, keyTakeaways])).not.toMatch(
      /reads bypass|keeps no history here|shares two cores|setParameters=|smallest cache of the server/,
    )
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

  test('makes capped collections a little larger than the data, and changes nothing else', async () => {
    const { rows } = await load('single-in-memory')
    const options = rows.map(({ spec }) => spec.data[0]?.options)
    const capped = { capped: true, size: Math.ceil(1.02 * 8192 * 16_384) }
    expect(options.slice(0, 4)).toEqual(Array.from({ length: 4 }, () => ({ capped: false })))
    expect(options.slice(4)).toEqual(Array.from({ length: 4 }, () => capped))
  })
})

const bankTransfers = (name: string, overrides?: Parameters<typeof loadSpecFile>[1]) =>
  loadSpecFile(path.join(folder, 'bank-transfers', `${name}.json`), overrides)

describe('the bank transfers', () => {
  test('run with other tests than those that the report compares', async () => {
    const tests = [{ label: '64 clients', test: '3', clients: 64 }]
    const { rows } = await bankTransfers('transfers', { set: { tests } })
    expect(rows.map(({ label }) => label)).toEqual(['64 clients'])
  })

  test('have the published configurations in the published profile, as far as their faults can be done', async () => {
    const { rows } = await bankTransfers('transfers', { profile: 'published' })
    const document = readDocument('bank-transfers') ?? fail('not published')
    const published = document.sections[0]?.tables[0]?.rows ?? fail('no table')
    const parameter = (row: (typeof rows)[number], name: string): unknown => row.parameters.get(name)?.value
    const here = rows.map((row) => [
      Number(parameter(row, 'test')),
      parameter(row, 'cpus'),
      parameter(row, 'ramGB'),
      parameter(row, 'hddGB'),
      parameter(row, 'shards'),
      parameter(row, 'arbiter') === true ? '2+1 arbiter' : '3',
      parameter(row, 'clients'),
      parameter(row, 'nodes'),
      Number(parameter(row, 'accounts')) / 1e6,
      Number(parameter(row, 'transfers')) / 1e6,
    ])
    expect(here).toEqual(published.map((row) => row.slice(0, -1)))
  })

  test('kill one of two members every two minutes, and lose the packets between two of one shard', async () => {
    const { rows } = await bankTransfers('transfers', { profile: 'published' })
    const faultsOf = (row: number) => rows[row]?.spec.phases.flatMap(({ faults = [] }) => faults)
    expect(faultsOf(17)).toMatchObject([
      { kind: 'kill', target: ['shard0/member1'], atSeconds: 60, everySeconds: 240, forSeconds: 20 },
      { kind: 'kill', target: ['shard1/member1'], atSeconds: 180, everySeconds: 240, forSeconds: 20 },
    ])
    expect(faultsOf(18)).toMatchObject([
      {
        kind: 'partition',
        links: [{ from: ['shard0/member0'], to: ['shard0/member1'] }],
        how: 'stall',
        atSeconds: 60,
        everySeconds: 120,
        forSeconds: 60,
      },
    ])
  })

  test('hold the servers of the published configurations to their size', async () => {
    const { rows } = await bankTransfers('transfers', { profile: 'published' })
    const [first = fail('no row')] = rows
    expect(first.spec.target).toMatchObject({
      kind: 'replicaSet',
      server: { cacheGB: 4, limits: { cpus: 1, memoryMB: 8192 } },
    })
    expect(rows[9]?.spec.target).toMatchObject({ kind: 'sharded', server: { dbPath: '/xfs/mongo-perf' } })
    expect(rows[10]?.spec.target).not.toHaveProperty('server.dbPath')
  })

  test.each(['transfers', 'clients', 'faults'])('%s are judged by the sum and by the journal', async (name) => {
    const { rows } = await bankTransfers(name)
    for (const { spec } of rows) expect(spec.checks.map(({ kind }) => kind)).toEqual(['sumUnchanged', 'journalMatches'])
  })
})

test('the failover has a row for each fault that can be done, with each of two write concerns', async () => {
  const { rows } = await loadSpecFile(path.join(folder, 'failover', 'failover.json'))
  const kinds = rows.map(({ spec }) => spec.phases[0]?.faults?.[0]?.kind)
  const plain = faultKinds.map(({ kind }) => kind).filter((kind) => kind !== 'random')
  expect(new Set(kinds)).toEqual(new Set(plain))
  expect(rows).toHaveLength(2 * 9)
})

const writeConcernChange = (overrides?: Parameters<typeof loadSpecFile>[1]) =>
  loadSpecFile(path.join(folder, 'write-concern', 'change.json'), overrides)

describe('the change of a write concern', () => {
  test('counts what is lost when the primary is killed, in as many runs as a verdict takes', async () => {
    const { rows, repeat } = await writeConcernChange()
    expect(repeat.times).toBe(minRounds)
    expect(rows.map(({ label, spec }) => [label, spec.phases.map(({ writeConcern }) => writeConcern.w)])).toEqual([
      ['writeConcern before', [1, 1]],
      ['writeConcern after', ['majority', 'majority']],
    ])
    for (const { spec } of rows) {
      expect(spec.phases[1]?.faults).toMatchObject([{ kind: 'kill', target: ['primary'] }])
      expect(spec.checks).toMatchObject([{ kind: 'acknowledgedWritesSurvive', operation: 'failover.insertOne' }])
    }
  })

  test('kills nothing where it must not, and takes more than two', async () => {
    const concerns = ['before', 'after', 'third'].map((label, i) => ({ label, value: { w: i + 1 } }))
    const { rows } = await writeConcernChange({ set: { kill: false, concerns } })
    expect(rows.map(({ spec }) => spec.phases[0]?.writeConcern.w)).toEqual([1, 2, 3])
    for (const { spec } of rows) {
      expect(spec.phases.map(({ name, faults }) => [name, faults])).toEqual([['steady', undefined]])
      expect(spec.checks).toMatchObject([{ name: 'survive', operation: 'steady.insertOne' }])
    }
  })
})

/** Of the first row: workers, documents before the first call, and what ends it. */
test.each([
  ['insert-document-size', 10, 0, { documents: 25_165_824 }],
  ['insert-batch-size', 48, 0, { documents: 6_291_456 }],
  ['insert-key-type', 21, 21_000_000, { documents: 42_000_000 }],
  ['insert-indexes', 10, 3_000_000, { documents: 3_291_456 }],
  ['insert-disk', 21, 0, { documents: 30_000_000 }],
  ['instance-size', 24, 3_000_000, { documents: 12_000_000 }],
  ['hot-document', 10, 1_000_000, { operations: 1_000_000 }],
  ['update-complexity', 32, 15_000_000, { seconds: 900 }],
  ['update-api', 32, 500_000, { operations: 500_000 }],
  ['query-types', 48, 60_000_000, { seconds: 300 }],
  ['query-fetch', 48, 60_000_000, { seconds: 300 }],
  ['query-disk', 48, 25_000_000, { seconds: 300 }],
])('the published profile of %s has the published sizes', async (name, workers, loaded, end) => {
  const { rows } = await loadShipped(path.join(tables, `${name}.json`), { profile: 'published' })
  const { data, phases } = rows[0]?.spec ?? fail('no row')
  expect(data.map((one) => ('rows' in one ? one.rows : null))).toEqual([loaded])
  expect(phases).toMatchObject([{ load: { kind: 'closed', workers }, stopAfter: end }])
})
