import { readdirSync, readFileSync } from 'node:fs'
import { type Result, result } from '../../src/results/schema.ts'

const folder = new URL('../../fixtures/invented-results/', import.meta.url)

export const storedResults: readonly string[] = readdirSync(folder).map((file) => file.replace('.json', ''))

/** A recorded result, as `mongo-perf report` reads it. */
export function storedResult(name: string): Result {
  return result.parse(JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8')))
}
