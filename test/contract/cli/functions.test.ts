import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { sides } from '../support/comparisons.ts'
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

test('a spec with functions is checked and run with the module that is named, and refused without', async () => {
  const { place, file } = await placeWithVersions()
  await using _ = place
  const checked = await place.run(['check', file, '--functions', 'main/perf.mjs'])
  expect([checked.code, checked.stdout]).toEqual([0, expect.stringContaining('findIt')])

  const notPassed = expect.toHaveLine('run-functions-not-passed', { at: `${file}:24:23`, function: 'findIt' })
  for (const command of ['run', 'check'])
    expect(await place.run([command, file])).toEqual({ code: 2, stdout: '', stderr: notPassed })

  const ran = await place.run(['run', file, '--functions', 'main/perf.mjs'])
  expect([ran.code, ran.stderr]).toEqual([0, expect.not.stringContaining('rror')])
  const result = await place.result('few-reads')
  expect(result.variants[0]?.phases[0]?.operations[0]).toMatchObject({ name: 'findIt', kind: 'function', ok: 20 })
  expect(JSON.stringify(result)).not.toContain(place.folder)
})

test('two versions of a function are compared round by round', async () => {
  const { place, file } = await placeWithVersions()
  await using _ = place
  const versioned = ['--a', 'functions:main/perf.mjs', '--b', 'functions:branch/perf.mjs']
  const ran = await place.run(['ab', file, ...versioned, '--rounds', '1', '--out', 'out', '--format', 'github'])
  expect([ran.code, ran.stderr]).toEqual([0, expect.stringContaining('round 1 of 1 done')])
  expect(ran.stdout).toContain('A: functions:main/perf.mjs. B: functions:branch/perf.mjs.')
  const finds = (await sides(place)).map(({ variants: [row] }) => row?.phases[0]?.operations[0]?.ok)
  expect(finds).toEqual([20, 20])

  const oneSided = await place.run(['ab', file, '--a', 'functions:main/perf.mjs', '--rounds', '1'])
  const notPassed = expect.toHaveLine('run-functions-not-passed', { at: `${file}:24:23`, function: 'findIt' })
  expect(oneSided).toMatchObject({ code: 2, stderr: notPassed })
})
