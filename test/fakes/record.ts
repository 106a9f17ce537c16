/** Stores made-up results that fixtures/invented-results does not have yet: `npx tsx test/fakes/record.ts`. Those it has are never changed. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { result } from '../../src/results/schema.ts'
import { recordings } from './recordings.ts'

const folder = new URL('../../fixtures/invented-results/', import.meta.url)
mkdirSync(folder, { recursive: true })

for (const [name, make] of Object.entries(recordings)) {
  const file = new URL(`${name}.json`, folder)
  if (!existsSync(file)) writeFileSync(file, `${JSON.stringify(result.parse(make()))}\n`)
}
