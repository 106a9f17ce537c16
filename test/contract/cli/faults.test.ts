import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { workplace } from '../support/program.ts'
import { hurtBy } from '../support/specs.ts'

test('a server that others run is not hurt unless the command line says so', async () => {
  await using place = await workplace()
  const { target: _, ...rest } = hurtBy({ kind: 'stepDown' })
  const file = await place.spec(rest)
  const args = ['run', file, '--uri', 'mongodb://127.0.0.1:1/?serverSelectionTimeoutMS=500']
  const notAllowed = expect.toSay('run-step-down-not-allowed', { at: `${file}:27:9` })
  expect(await place.run(args)).toMatchObject({ code: 3, stderr: notAllowed })
  // Nobody is there, so this is as far as it gets.
  expect((await place.run([...args, '--allow-step-down'])).code).toBe(4)
})

test('the list of faults is what the reference shows', async () => {
  await using place = await workplace()
  const { stdout } = await place.run(['list', 'faults'])
  const kinds = stdout
    .split('\n')
    .map((line) => line.split(' ')[0])
    .filter((kind) => kind)
  const page = await readFile(path.join(import.meta.dirname, '../../../docs/faults.md'), 'utf8')
  expect(kinds.length).toBeGreaterThan(5)
  for (const kind of kinds) expect(page).toContain(`\n## ${kind}\n`)
})
