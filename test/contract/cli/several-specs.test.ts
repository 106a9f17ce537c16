import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { run } from '../../../src/entries/index.ts'
import { type Workplace, workplace } from '../support/program.ts'
import { sharedServer } from '../support/shared-servers.ts'
import { fewReads } from '../support/specs.ts'

const server = sharedServer()

const tooLarge = { target: { kind: 'standalone', server: { limits: { cpus: 10_000 } } } } as const
const unstartable = { target: { kind: 'standalone', server: { setParameters: { noSuchParameter: 1 } } } } as const

async function folderOf(place: Workplace, specs: readonly { readonly name: string }[]): Promise<string> {
  const folder = path.join(place.folder, 'specs')
  await mkdir(folder)
  for (const spec of specs) await writeFile(path.join(folder, `${spec.name}.json`), JSON.stringify(spec))
  return folder
}

test('a spec that this machine cannot measure, and one without a server, leave the others to run', async () => {
  await using place = await workplace(server)
  const specs = [
    fewReads({ name: 'a-large', ...tooLarge }),
    fewReads({ name: 'b-unstartable', ...unstartable }),
    fewReads({ name: 'c-plain' }),
  ]
  const { code, stdout, stderr } = await place.run(['run', await folderOf(place, specs), '--quiet', '--format', 'md'])
  expect(code).toBe(4)
  expect(stdout).toContain('> **Not measured here:** 10000 CPUs are asked for, and this machine has')
  const lines = stderr.trimEnd().split('\n')
  expect(lines[0]).toMatch(/^error: 10000 CPUs are asked for/)
  expect(lines.slice(-2)).toEqual([
    expect.stringMatching(/^a-large was not measured: 10000 CPUs are asked for/),
    expect.stringMatching(/^b-unstartable was not measured: The mongod for member0 .*noSuchParameter/),
  ])

  expect(await place.result('a-large')).toMatchObject({
    status: 'failed',
    variants: [],
    warnings: [{ code: 'not-measured-here', message: expect.stringContaining('10000 CPUs') }],
  })
  expect(await place.result('b-unstartable')).toMatchObject({ status: 'failed', variants: [{ status: 'failed' }] })
  expect(await place.result('c-plain')).toMatchObject({ status: 'done', variants: [{ status: 'done' }] })
  const report = path.join(place.folder, 'mongo-perf-results', 'a-large', 'report.md')
  expect(await readFile(report, 'utf8')).toContain('**Not measured here:**')
  expect(place.servers()).toEqual([])
})

test('in a library the same is thrown', async () => {
  await expect(run(fewReads(tooLarge))).rejects.toMatchObject({ code: 'not-measurable-here' })
})
