import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { readResult } from '../../../src/results/files/results-file.ts'
import { workplace } from '../support/program.ts'
import { sharedServer } from '../support/shared-servers.ts'
import { fewReads } from '../support/specs.ts'

const server = sharedServer()

const calling = fewReads({
  phases: [
    {
      name: 'read',
      stopAfter: { operations: 20 },
      operations: [{ kind: 'function', function: 'findIt', with: { id: { '@int': { max: 9 } } } }],
    },
  ],
})

/** Two versions of an application: the second makes twice as many calls. */
const versions = {
  main: 'export const findIt = ({ collection }, { id }) => collection.findOne({ _id: id })\n',
  branch:
    'export const findIt = async ({ collection }, { id }) => {\n  await collection.findOne({ _id: id })\n  await collection.findOne({ _id: id })\n}\n',
}

async function placeWithVersions() {
  const place = await workplace(server)
  for (const [name, code] of Object.entries(versions)) {
    await mkdir(path.join(place.folder, name))
    await writeFile(path.join(place.folder, name, 'perf.mjs'), code)
  }
  return { place, file: await place.spec(calling) }
}

test('a spec with functions is checked without them, and run with the module that is named', async () => {
  const { place, file } = await placeWithVersions()
  await using _ = place
  const checked = await place.run(['check', file])
  expect([checked.code, checked.stdout]).toEqual([0, expect.stringContaining('findIt')])

  const notPassed = expect.toHaveLine('run-functions-not-passed', { at: `${file}:24:23`, function: 'findIt' })
  expect(await place.run(['run', file])).toEqual({ code: 2, stdout: '', stderr: notPassed })

  const ran = await place.run(['run', file, '--functions', 'main/perf.mjs'])
  expect([ran.code, ran.stderr]).toEqual([0, expect.not.stringContaining('rror')])
  const result = await place.result('few-reads')
  expect(result.variants[0]?.phases[0]?.operations[0]).toMatchObject({ name: 'findIt', kind: 'function', ok: 20 })
  expect(JSON.stringify(result)).not.toContain(place.folder)
})

test('two versions of a function are compared round by round', async () => {
  const { place, file } = await placeWithVersions()
  await using _ = place
  const sides = ['--a', 'functions:main/perf.mjs', '--b', 'functions:branch/perf.mjs']
  const ran = await place.run(['ab', file, ...sides, '--rounds', '1', '--out', 'out', '--format', 'github'])
  expect([ran.code, ran.stderr]).toEqual([0, expect.stringContaining('round 1 of 1 done')])
  expect(ran.stdout).toContain('A: functions:main/perf.mjs. B: functions:branch/perf.mjs.')
  const findsOf = async (side: string): Promise<number | undefined> => {
    const { variants } = await readResult(path.join(place.folder, 'out', side, 'result.json'))
    return variants[0]?.phases[0]?.operations[0]?.ok
  }
  expect([await findsOf('a'), await findsOf('b')]).toEqual([20, 20])

  const oneSided = await place.run(['ab', file, '--a', 'functions:main/perf.mjs', '--rounds', '1'])
  const notPassed = expect.toHaveLine('run-functions-not-passed', { at: `${file}:24:23`, function: 'findIt' })
  expect(oneSided).toMatchObject({ code: 2, stderr: notPassed })
})
