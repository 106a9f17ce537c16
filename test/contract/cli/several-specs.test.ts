import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { run } from '../../../src/entries/index.ts'
import { workplace } from '../support/program.ts'
import { sharedServer } from '../support/shared-servers.ts'
import { fewReads } from '../support/specs.ts'

const server = sharedServer()

const tooLarge = { target: { kind: 'standalone', server: { limits: { cpus: 10_000 } } } } as const
const unstartable = { target: { kind: 'standalone', server: { setParameters: { noSuchParameter: 1 } } } } as const

test('a spec that this machine cannot measure, and one without a server, leave the others to run', async () => {
  await using place = await workplace(server)
  const specs = [
    fewReads({ name: 'a-large', ...tooLarge }),
    fewReads({ name: 'b-unstartable', ...unstartable }),
    fewReads({ name: 'c-plain' }),
  ]
  const folder = path.join(place.folder, 'specs')
  await mkdir(folder)
  for (const spec of specs) await writeFile(path.join(folder, `${spec.name}.json`), JSON.stringify(spec))
  const { code, stdout, stderr } = await place.run(['run', folder, '--quiet', '--format', 'md'])
  expect(code).toBe(4)
  const cpus = { asked: 10_000, there: availableParallelism() }
  expect(stdout.match(/^## .*/gm)).toEqual(['## c-plain'])
  const lines = stderr.trimEnd().split('\n')
  expect(lines.slice(0, 2)).toSay('run-cpus-too-many', cpus)
  expect(lines.at(-2)).toSay('run-spec-not-measured', { spec: 'a-large', ...cpus })
  const unstarted = lines.at(-1)?.replace(/ \(.*noSuchParameter.*/, ' … noSuchParameter')
  expect(unstarted).toSay('run-spec-not-started', { spec: 'b-unstartable', parameter: 'noSuchParameter' })

  expect(await place.result('a-large')).toMatchObject({
    status: 'failed',
    variants: [],
    warnings: [{ code: 'not-measured-here', message: expect.stringContaining('limits.cpus is 10000') }],
  })
  expect(await place.result('b-unstartable')).toMatchObject({ status: 'failed', variants: [{ status: 'failed' }] })
  expect(await place.result('c-plain')).toMatchObject({ status: 'done', variants: [{ status: 'done' }] })
  const report = path.join(place.folder, 'mongo-perf-results', 'a-large', 'report.md')
  expect(await readFile(report, 'utf8')).toHaveLine('run-cpus-too-many-in-report', cpus)
  expect(place.servers()).toEqual([])
})

test('in a library the same is thrown', async () => {
  const cpus = { asked: 10_000, there: availableParallelism() }
  await expect(run(fewReads(tooLarge))).rejects.toSay('library-cpus-too-many', cpus)
})
