import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { workplace } from '../contract/support/program.ts'
import { fewReads, ownTarget } from '../contract/support/specs.ts'
import { parseXml } from '../fakes/parse-xml.ts'

const reads = (workers: number) =>
  fewReads({
    ...ownTarget,
    phases: [
      {
        name: 'read',
        load: { kind: 'closed', workers },
        stopAfter: { seconds: 30 },
        operations: [{ kind: 'find', filter: {}, limit: workers === 1 ? 1 : 10 }],
      },
    ],
  })

test('the pipeline of init --ci compares the specs of base and change, with verdicts as tests', async () => {
  await using place = await workplace()
  await place.run(['init', '--ci', 'gitlab', 'few-reads.json'])
  const { 'mongo-perf': job } = parse(await readFile(path.join(place.folder, 'mongo-perf.gitlab-ci.yml'), 'utf8')) as {
    readonly 'mongo-perf': { readonly script: readonly string[] }
  }
  const [, command = '', report] = /npx mongo-perf (ab .*) > (\S+)$/.exec(job.script.at(-1) ?? '') ?? []
  expect(report).toBe('mongo-perf-junit.xml')
  await mkdir(path.join(place.folder, 'base'))
  await writeFile(path.join(place.folder, 'base/few-reads.json'), JSON.stringify(reads(1)))
  await place.spec(reads(2))
  const { stdout, code } = await place.run([...command.split(' '), '--budget', '2s'])
  const [suite] = parseXml(stdout).children
  expect([suite?.attributes['name'], code]).toEqual(['few-reads', suite?.attributes['failures'] === '0' ? 0 : 5])
  expect(suite?.children.map(({ attributes }) => attributes['name'])).toContain('B against A: read: Throughput (ops/s)')
  expect(await readFile(path.join(place.folder, 'comparison/comparison.md'), 'utf8')).toContain('Throughput')
})
