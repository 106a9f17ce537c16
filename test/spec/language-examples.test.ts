import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { Problem } from '../../src/errors.ts'
import { loadSpecFile } from '../../src/load-spec.ts'

/** The specs on which the language was tried before there was a program: the hardest of the published tables. */
const folder = 'fixtures/language'

/** Words that are still to come, by the specs that use them. */
const awaited: Readonly<Record<string, readonly string[]>> = {
  'bank-transfers': ['key "faults"', 'key "checks"'],
  failover: ['kind "open"', 'key "faults"', 'key "checks"'],
  'open-loop': ['kind "open"'],
}

const names = readdirSync(folder).map((file) => file.replace(/\.json$/, ''))

test.each(names.filter((name) => !(name in awaited)))('%s is a spec', async (name) => {
  expect((await loadSpecFile(`${folder}/${name}.json`)).rows.length).toBeGreaterThan(0)
})

test.each(Object.entries(awaited))('%s is refused by the names of words that are to come: %j', async (name, words) => {
  const problem: unknown = await loadSpecFile(`${folder}/${name}.json`).catch((error: unknown) => error)
  expect(problem).toBeInstanceOf(Problem)
  const lines = (problem as Problem).message.split('\n')
  for (const word of words) expect(lines.join('\n')).toContain(`unknown ${word}`)
  // A phase that ends with the stages of its open load has no "stopAfter".
  const others = lines.filter((line) => !/unknown (key|kind) "/.test(line) && !line.endsWith('stopAfter: is missing'))
  expect(others).toEqual([])
})
