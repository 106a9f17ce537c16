import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import { type JsonObject } from '../../../src/core/json.ts'
import { loadSpecText, type LoadedSpec } from '../../../src/spec/load-spec.ts'
import { printSpec } from '../../../src/spec/parse/print-spec.ts'
import { type Imported, type WorkloadFile } from '../../../src/spec/ycsb/import-workload.ts'

/** A sample in `fixtures/imports`, by a path without a folder of this machine in it. */
export function readSample(name: string): WorkloadFile {
  const file = `fixtures/imports/${name}`
  return { file, text: readFileSync(file, 'utf8') }
}

/** The valid spec of a sample, which must be the one in the file with that name. */
export function expectGolden(golden: string, { spec }: Imported): LoadedSpec {
  const { $schema: _, ...expected } = JSON.parse(readFileSync(`fixtures/imports/${golden}`, 'utf8')) as JsonObject
  expect(spec).toEqual(expected)
  return loadSpecText(printSpec(spec), golden)
}
