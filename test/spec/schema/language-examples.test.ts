import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { loadSpecFile } from '../../../src/spec/load-spec.ts'

/** The specs on which the language was tried before there was a program: the hardest of the published tables; and examples of words that came later. */
const folder = 'fixtures/language'

const names = readdirSync(folder).map((file) => file.replace(/\.json$/, ''))

test.each(names)('%s is a spec', async (name) =>
  expect((await loadSpecFile(`${folder}/${name}.json`)).rows.length).toBeGreaterThan(0),
)
