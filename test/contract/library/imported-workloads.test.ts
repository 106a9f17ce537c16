import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { run, type SpecInput } from '../../../src/entries/index.ts'
import { importGenny } from '../../../src/sources/genny/import-workload.ts'
import { importNoSqlBench } from '../../../src/sources/nosqlbench/import-workload.ts'
import { importSimRunner } from '../../../src/sources/simrunner/import-config.ts'
import { readSample } from '../../sources/workloads/golden-import.ts'
import { sharedPrimary } from '../support/shared-servers.ts'

const server = sharedPrimary()

test.each([
  ['genny', importGenny(readSample('genny/shop.yml'), (file) => readFileSync(file, 'utf8'))],
  ['SimRunner', importSimRunner(readSample('simrunner/people.json'))],
  ['NoSQLBench', importNoSqlBench(readSample('nosqlbench/books.yaml'))],
])('all operations of an imported workload of %s succeed on a server', async (_, { spec }) => {
  const { variants } = await run(spec as unknown as SpecInput, { profile: 'smoke', uri: server.uri })
  const phases = variants.flatMap((variant) => variant.phases)
  expect(variants.map(({ status }) => status)).toEqual(['done'])
  expect(phases.length).toBeGreaterThan(1)
  for (const { operations } of phases)
    for (const { name, ok, failed, unknown } of operations) {
      expect({ name, failed, unknown }).toEqual({ name, failed: 0, unknown: 0 })
      expect(ok).toBeGreaterThan(0)
    }
})
