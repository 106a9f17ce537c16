import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { readResult } from '../../../src/results/files/results-file.ts'
import { workplace } from '../support/program.ts'
import { sharedServer } from '../support/shared-servers.ts'
import { fewReads, threeRows } from '../support/specs.ts'

const server = sharedServer()

test('run --into keeps a document in step with two specs, and people’s words in it', async () => {
  await using place = await workplace(server)
  const file = path.join(place.folder, 'P.md')
  const specs = [await place.spec(fewReads()), await place.spec(threeRows({}))]
  const read = (): Promise<string> => readFile(file, 'utf8')
  const first = await place.run(['run', ...specs, '--compact', '--into', 'P.md', '--format', 'json'])
  expect(first.code).toBe(0)
  expect(JSON.parse(first.stdout)).toHaveLength(2)
  expect(await read()).toMatch(/^- \[few-reads\]\(#few-reads\)\n- \[three-rows\]\(#three-rows\)$/m)
  expect(await read()).toMatch(/<img alt="\w+ chart: [^"]+" src="mongo-perf-results\/three-rows\/[^"]+\.png">/)
  expect((await place.result('few-reads')).compact).toBe(true)

  await writeFile(file, (await read()).replace('## few-reads', '## Few reads\n\nThey are quick.'))
  const results = ['few-reads', 'three-rows'].map((name) => path.join('mongo-perf-results', name, 'result.json'))
  const again = await place.run(['report', ...results, '--into', 'P.md'])
  expect(again.code).toBe(0)
  const edited = await read()
  expect(edited).toContain('## Few reads\n\nThey are quick.\n')
  expect(edited).toContain('- [Few reads](#few-reads)\n')
  await place.run(['report', ...results, '--into', 'P.md'])
  expect(await read()).toBe(edited)
  expect(await place.run(['check', '--document', 'P.md'])).toMatchObject({ code: 0 })

  // The same spec, run again, is another result.
  const earlier = await readResult(path.join(place.folder, results[0] ?? ''))
  const { code, stderr } = await place.run(['run', specs[0] ?? ''])
  expect(code).toBe(0)
  const [, kept = ''] = / (\S+\/previous\/\S+)$/m.exec(stderr) ?? []
  expect(stderr).toHaveLine('run-previous-kept', { file: kept })
  expect(await readResult(path.join(place.folder, kept))).toEqual(earlier)
  expect((await place.result('few-reads')).startedAt).not.toBe(earlier.startedAt)
  const stale = await place.run(['check', '--document', 'P.md'])
  expect(stale.code).toBe(5)
  const older = { at: 'P.md:N', section: 'few-reads/performance', result: String(results[0]) }
  expect(stale.stderr.replaceAll(/(?<=P\.md:)\d+/g, 'N')).toHaveLine('document-older-than-result', older)
  expect(stale.stderr).not.toContain('three-rows/')
})

test.each([
  ['broken markers', '<!-- mongo-perf few-reads/performance -->\n', 'document-marker-open', {}],
  [
    'the result of another server',
    '<!-- mongo-perf few-reads/performance result="other/few-reads/result.json" sha256="a1" -->\n<!-- /mongo-perf few-reads/performance -->\n',
    'document-of-another-server',
    { other: 'other/few-reads/result.json' },
  ],
])('a document with %s is refused before anything starts', async (_, blocks, text, data) => {
  await using place = await workplace(server)
  await writeFile(path.join(place.folder, 'P.md'), `# P\n\n${blocks}`)
  const ended = await place.run(['run', await place.spec(fewReads()), '--into', 'P.md'])
  expect(ended).toMatchObject({ code: 2, stderr: expect.toSay(text, { at: 'P.md:3', ...data }) })
  await expect(place.result('few-reads')).rejects.toThrow('ENOENT')
})

test('an interrupted run leaves the document as it is, and a compact result is gone on with', async () => {
  await using place = await workplace(server)
  const file = path.join(place.folder, 'P.md')
  await writeFile(file, 'Mine.\n')
  // It is stopped in the turn of the event loop in which it says where it is.
  const spec = await place.spec(threeRows({ seconds: 1 }))
  const run = place.begin(['run', spec, '--compact', '--into', 'P.md', '--log-level', 'trace'])
  await run.says('second read ')
  run.stop()
  const unchanged = expect.toHaveLine('document-unchanged', { document: 'P.md', spec: 'three-rows' })
  expect(await run.ended).toMatchObject({ code: 130, stderr: unchanged })
  expect(await readFile(file, 'utf8')).toBe('Mine.\n')

  expect((await place.run(['run', spec, '--resume', '--into', 'P.md'])).code).toBe(0)
  expect((await place.result('three-rows')).compact).toBe(true)
  expect(await readFile(file, 'utf8')).toMatch(/^Mine\.\n\n## three-rows\n/)
})
