import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { type Workplace, workplace } from '../support/program.ts'
import { sharedServer } from '../support/shared-servers.ts'

const server = sharedServer()

/** Reads by a field with or without an index, six times for a quarter of a second. */
const specWith = (indexes: readonly object[]): { readonly name: string; readonly [key: string]: unknown } => ({
  name: 'by-status',
  target: { kind: 'existing' },
  repeat: { times: 6 },
  data: { collection: 'orders', rows: 4000, document: { status: { '@row': {} } }, indexes },
  phases: [
    {
      name: 'read',
      load: { kind: 'closed', workers: 2 },
      stopAfter: { seconds: 0.25 },
      operations: [{ kind: 'findOne', filter: { status: { '@int': { min: 0, max: 3999 } } } }],
    },
  ],
})

const baselines = 'mongo-perf-baselines'
const historyOf = async ({ folder }: Workplace, name: string): Promise<readonly string[]> =>
  (await readFile(path.join(folder, baselines, name, 'by-status.history.jsonl'), 'utf8')).trimEnd().split('\n')

test('a release without its index is worse than the baseline, and the plan says why', async () => {
  await using place = await workplace(server)
  const indexed = await place.spec(specWith([{ key: { status: 1 } }]))
  const saved = await place.run(['run', indexed, '--save-baseline', 'main'])
  expect(saved.code).toBe(0)
  const file = path.join(baselines, 'main', 'by-status.json')
  expect(saved.stderr).toHaveLine('baseline-saved', { baseline: 'main', file })
  const files = ['by-status.history.jsonl', 'by-status.json'].map((name) => path.join('main', name))
  const written = await readdir(path.join(place.folder, baselines), { recursive: true })
  expect(written.toSorted()).toEqual(['.gitattributes', 'main', ...files])
  expect((await stat(path.join(place.folder, file))).size).toBeLessThan(20_000)

  const again = await place.run(['run', indexed, '--baseline', 'main', '--save-history', 'main'])
  expect([0, 5]).toContain(again.code)
  expect(again.stdout.split(/(?<=\.) |\n/)).toHaveLine('baseline-same-work', { counts: 6 })
  const sides = again.stdout.trimEnd().split('\n').at(-1)
  expect(sides?.replace(/\d{4}-\d\d-\d\d/, 'DATE')).toSay('baseline-sides', { baseline: 'main', date: 'DATE' })
  expect(await historyOf(place, 'main')).toHaveLength(2)
  expect((await place.run(['history', 'by-status'])).stdout).toMatch(
    /^2 runs, .*: changes are looked for from 10 runs on, so 8 more are needed\.$/m,
  )

  const bare = await place.spec(specWith([]))
  const refused = await place.run(['run', bare, '--baseline', 'main'])
  expect([refused.code, refused.stdout]).toEqual([2, ''])
  const said = refused.stderr.replaceAll(/ [\da-f]{8} /g, ' HASH ')
  expect(said).toSay('baseline-of-another-spec', { baseline: 'main', hash: 'HASH' })
  expect((await place.run(['run', bare, '--save-history', 'main'])).code).toBe(0)
  expect(await historyOf(place, 'main')).toHaveLength(3)
  const options = ['--baseline', 'main', '--difference', 'spec', '--out', 'comparison']
  const compared = await place.run(['compare', 'mongo-perf-results', ...options])
  expect(compared.code).toBe(5)
  const masked = compared.stdout.replace(/; .*(documents examined per .* 1 → )[\d,]+.*/, '; … $1N')
  expect(/^Why[^]*? N$/m.exec(masked)?.[0]).toSay('baseline-why-slower', { examined: 'N' })
})

test('a result that is worse than its baseline, or not good, does not become one', async () => {
  await using place = await workplace(server)
  const spec = await place.spec(specWith([{ key: { status: 1 } }]))
  /** Judges what was measured once. */
  const resumed = (...args: readonly string[]) => place.run(['run', spec, '--resume', ...args])
  const missed = await place.run(['run', spec, '--save-baseline', 'main', '--threshold', 'operations > 1000000000'])
  const baseline = 'main'
  expect(missed).toMatchObject({ code: 5, stderr: expect.toHaveLine('baseline-not-good', { baseline }) })
  expect((await resumed('--save-baseline', 'main')).code).toBe(0)

  const file = path.join(place.folder, baselines, 'main', 'by-status.json')
  const seconds = /"wallSeconds": \{"@runs":\[[^\]]*\]\}/g
  const faster = (await readFile(file, 'utf8')).replaceAll(seconds, '"wallSeconds": 0.01')
  await writeFile(file, faster)
  const worse = await resumed('--baseline', 'main', '--save-baseline', 'main')
  expect(worse).toMatchObject({ code: 5, stderr: expect.toHaveLine('baseline-not-worse', { baseline }) })
  expect(await readFile(file, 'utf8')).toBe(faster)

  const slower = faster
    .replaceAll('"wallSeconds": 0.01', '"wallSeconds": 10')
    .replaceAll(/"(p50Ms|p99Ms)": ?\{"@runs":\[[^\]]*\]\}/g, '"$1": 900')
  await writeFile(file, slower.replaceAll(/"processCpuUs": ?\{"@runs":\[[^\]]*\]\}/g, '"processCpuUs": 900000000'))
  const better = expect.toHaveLine('baseline-better', { baseline })
  expect(await resumed('--baseline', 'main')).toMatchObject({ code: 0, stderr: better })

  const otherDriver = slower.replace('"name":"mongodb","version":"7.8.0"', '"name":"mongodb","version":"6.0.0"')
  await writeFile(file, otherDriver)
  const different = await resumed('--baseline', 'main', '--save-baseline', 'main')
  expect(different.code).toBe(2)
  expect(different.stderr).toHaveLine('baseline-driver-differs', { a: '6.0.0', b: '7.8.0' })
  expect(different.stderr).toHaveLine('baseline-not-compared', { baseline })
  expect(await readFile(file, 'utf8')).toBe(otherDriver)
})
