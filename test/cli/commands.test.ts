import { existsSync } from 'node:fs'
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { type ReportJson } from '../../src/report/formats/json.ts'
import { runCommandLine, runRefused } from '../fakes/fake-cli-context.ts'
import { useFolder } from '../fakes/temporary-folder.ts'

const folder = useFolder()

const storedOf = (name: string): string =>
  fileURLToPath(new URL(`../../fixtures/invented-results/${name}.json`, import.meta.url))
const stored = storedOf('insert-batch-size')

describe('check', () => {
  test('shows what a spec would do, without a server', async () => {
    const { stdout, code } = await runCommandLine(['check', 'quickstart', '--set', 'seconds=1'])
    expect(code).toBe(0)
    expect(stdout).toHaveLine('check-target-standalone')
    expect(stdout).toMatch(/data mongoperf_quickstart\.orders: 50,000 documents, about \d+ MB, 1 index\n/)
    expect(stdout).toHaveLine('check-phase-open-loop', { rate: 1800 })
  })

  test('names the variable of each server that a parameter chooses, and contacts none', async () => {
    const file = path.join(folder, 'servers.json')
    const server = ['small', 'large'].map((label) => ({
      label,
      value: { kind: 'existing', uriFrom: `MONGO_PERF_URI_${label.toUpperCase()}` },
    }))
    const spec = {
      name: 'servers',
      target: { '@param': 'server' },
      variants: { server },
      data: { collection: 'docs', rows: 10, document: { _id: { '@row': {} } } },
      phases: [{ name: 'read', stopAfter: { operations: 20 }, operations: [{ kind: 'findOne', filter: {} }] }],
    }
    await writeFile(file, JSON.stringify(spec))
    const { stdout, code } = await runCommandLine(['check', file])
    expect(code).toBe(0)
    expect(stdout).toHaveLine('check-server', { server: 'large', variable: 'MONGO_PERF_URI_LARGE' })
  })

  test('describes the cluster, and how a collection is sharded', async () => {
    const { stdout, code } = await runCommandLine(['check', 'stress-test/sharded-replicated'])
    expect(code).toBe(0)
    expect(stdout).toHaveLine('check-target-sharded', { shards: 5 })
    expect(stdout).toContain('empty, sharded by {"g":1} in 5 chunks')
  })

  test('names every problem of every spec by file, line and column', async () => {
    const wrong = path.join(folder, 'wrong.json')
    await writeFile(wrong, '{\n  "name": "wrong",\n  "fases": [],\n  "seed": "x"\n}\n')
    const { stdout, stderr, code } = await runCommandLine(['check', wrong, 'no-such-spec', 'quickstart'])
    expect(code).toBe(2)
    expect(stderr).toContain(`${wrong}:3:3: `)
    expect(stderr).toContain(`${wrong}:4:`)
    expect(stderr).toContain('"no-such-spec"')
    expect(stdout.split(/: |\n/)).toHaveLine('quickstart-title')
  })

  test('prints findings as Markdown, JSON, CSV, and annotations of GitHub', async () => {
    const wrong = path.join(folder, 'wrong: 100 %.json')
    await writeFile(wrong, '{\n  "name": "wrong",\n  "fases": [],\n  "seed": "x"\n}\n')
    const check = async (format: string) => {
      const { stdout, stderr, code } = await runCommandLine([
        'check',
        wrong,
        'no-such-spec',
        'quickstart',
        '--format',
        format,
      ])
      expect([stderr, code]).toEqual(['', 2])
      return stdout
    }
    const message = 'seed: must be a number, not a text'
    expect(await check('md')).toContain(`\n- \`${wrong}:4:11\`: ${message}\n`)
    expect(await check('csv')).toContain(`\nerror,${wrong},4,11,"${message}",,`)
    const file = wrong.replace('%', '%25').replace(':', '%3A')
    expect(await check('github')).toContain(`\n::error file=${file},line=4,col=11::${message}\n`)
    const { findings, specs } = JSON.parse(await check('json')) as Record<string, readonly unknown[]>
    const place = { severity: 'error', file: wrong, line: 4, column: 11 }
    expect(findings).toContainEqual({ ...place, message, hint: null })
    expect(findings).toContainEqual(
      expect.objectContaining({ file: null, hint: '`mongo-perf list` lists the shipped specs.' }),
    )
    expect(specs).toMatchObject([{ title: 'Response times of a shop at half load', rows: 1 }])
  })

  test('of a spec with guarded words wants the command line to allow each of them, in quotes', async () => {
    const file = path.join(folder, 'guarded.json')
    const operations = [{ kind: 'find', filter: { $where: 'true' } }]
    const data = { collection: 'things', rows: 1, document: { a: 1 } }
    const phases = [{ name: 'read', stopAfter: { operations: 1 }, operations }]
    await writeFile(file, JSON.stringify({ name: 'guarded', allow: ['$where'], data, phases }))
    expect(await runRefused(['check', file], {}, 3)).toSay('guarded-word-not-allowed', { file })
    // What a shell makes of the word without quotes.
    expect(await runRefused(['check', file, '--allow', ''])).toSay('guarded-word-unquoted')
    expect((await runCommandLine(['check', file, '--allow', '$out', '--allow', '$where'])).code).toBe(0)
  })

  test('gives the rows as JSON, with all defaults', async () => {
    const { stdout } = await runCommandLine(['check', 'quickstart', '--json', '--profile', 'smoke'])
    expect(JSON.parse(stdout)).toMatchObject([{ label: '', spec: { seed: 42, data: [{ rows: 2000 }] } }])
  })
})

describe('report', () => {
  test('makes report, tables and charts again from a result alone', async () => {
    const out = path.join(folder, 'out')
    const { stdout, stderr, code } = await runCommandLine(['report', stored, '--out', out])
    expect(code).toBe(0)
    const files = await readdir(path.join(out, 'insert-batch-size'))
    expect(files).toContain('report.md')
    expect(files.some((file) => file.endsWith('.png'))).toBe(true)
    const written = await readFile(path.join(out, 'insert-batch-size', 'report.md'), 'utf8')
    const [beginning = '', end = ''] = written.split(/<details>[^]*<\/details>/)
    expect([stdout.startsWith(beginning), stdout.endsWith(end), end.length > 100]).toEqual([true, true, true])
    expect(stdout).toContain('\n- **Lower bound** (row 1; ')
    expect(stderr).toContain(`Report: ${path.join(out, 'insert-batch-size', 'report.html')}\n`)
  })

  test('that cannot be written is no bug: the error names the folder, with a hint', async () => {
    const out = path.join(folder, 'plain-file')
    await writeFile(out, '')
    const occupied = path.join(folder, 'occupied', 'insert-batch-size', 'report.md')
    await mkdir(occupied, { recursive: true })
    for (const [to, file, message] of [
      [out, path.join(out, 'insert-batch-size'), 'report-below-file'],
      [path.join(folder, 'occupied'), occupied, 'report-unwritable'],
    ] as const) {
      const { stderr, code } = await runCommandLine(['report', stored, '--out', to])
      expect(code).toBe(2)
      expect(stderr).toSay(message, { file })
    }
  })

  test('prints one JSON document, also for several results', async () => {
    const report = ['report', '--out', path.join(folder, 'json'), '--format', 'json', stored]
    const one = JSON.parse((await runCommandLine(report)).stdout) as ReportJson
    expect(one.name).toBe('insert-batch-size')
    const both = await runCommandLine([...report, storedOf('query-types')])
    expect(JSON.parse(both.stdout)).toEqual([one, expect.objectContaining({ name: 'query-types' })])
  })

  test('overwrites no other report', async () => {
    const earlier = path.join(folder, 'earlier', 'result.json')
    await mkdir(path.dirname(earlier))
    await cp(stored, earlier)
    const out = path.join(folder, 'twice')
    const document = path.join(folder, 'D.md')
    for (const flags of [
      ['--out', out],
      ['--into', document],
    ]) {
      const refused = await runRefused(['report', earlier, stored, ...flags])
      expect(refused).toSay('report-twice-of-spec', { stored, earlier, spec: 'insert-batch-size' })
    }
    const beside = path.join(path.dirname(earlier), 'other.json')
    await cp(storedOf('query-types'), beside)
    expect(await runRefused(['report', earlier, beside])).toSay('report-twice-in-folder', { beside, earlier })
    expect(existsSync(out)).toBe(false)
    expect(await readdir(path.dirname(earlier))).toEqual(['other.json', 'result.json'])
    expect(existsSync(document)).toBe(false)
  })
})

describe('report --reference', () => {
  test('puts published figures beside the measured ones, as text and as data', async () => {
    const out = path.join(folder, 'reference')
    const report = ['report', stored, '--reference', '--out', out]
    const { stdout, code } = await runCommandLine(report)
    expect(code).toBe(0)
    expect(stdout).toContain('### Published beside measured')
    expect(await readdir(path.join(out, 'insert-batch-size'))).toContain('published-beside-measured.png')
    const { published } = JSON.parse((await runCommandLine([...report, '--format', 'json'])).stdout) as ReportJson
    expect(published).toMatchObject({ ratios: { near: 1, far: 0, of: 2 }, cpu: { near: 3, of: 3 } })
  })

  test('prints a note where a spec has none', async () => {
    const other = storedOf('quickstart')
    const { stderr, code } = await runCommandLine(['report', other, '--reference', '--out', path.join(folder, 'none')])
    expect(code).toBe(0)
    expect(stderr).toHaveLine('report-without-published', { spec: 'quickstart' })
  })
})

test.each([
  ['specs', /^quickstart +Response times of a shop at half load$/m],
  ['columns', /^p99Ms +/m],
  ['operations', /^insertMany +/m],
  ['generators', /^@filler +/m],
  ['functions', /^@add +/m],
  ['targets', /^replicaSet +/m],
  ['binaries', /^- +mongos on the PATH: none there$/m],
  ['binaries', /^- +Python package .*: (fetched when a run needs it: 6\.0\.5|runs on x86-64 Linux only)/m],
])('list %s', async (what, line) => {
  const { stdout, code } = await runCommandLine(['list', what])
  expect(code).toBe(0)
  expect(stdout).toMatch(line)
})

test('schema prints a JSON Schema', async () => {
  const { stdout } = await runCommandLine(['schema'])
  expect(JSON.parse(stdout)).toMatchObject({ type: 'object', properties: { phases: {} } })
})
