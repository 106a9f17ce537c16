import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { printSpec } from '../../../src/spec/parse/print-spec.ts'
import { importWorkload } from '../../../src/spec/ycsb/import-workload.ts'
import { runCommandLine } from '../../fakes/fake-cli-context.ts'

const folder = 'fixtures/specs/ycsb'
const read = (name: string): string => readFileSync(`${folder}/${name}`, 'utf8')

/** Requests, and shares of the operations, as YCSB's own files of these letters have them. */
const workloads = {
  a: ['zipfian', { read: 0.5, update: 0.5 }],
  b: ['zipfian', { read: 0.95, update: 0.05 }],
  c: ['zipfian', { read: 1 }],
  d: ['latest', { read: 0.95, insert: 0.05 }],
  e: ['zipfian', { insert: 0.05, scan: 0.95 }],
  f: ['zipfian', { read: 0.5, readModifyWrite: 0.5 }],
} as const

describe.each(Object.entries(workloads))('ycsb/%s', (letter, [distribution, shares]) => {
  test('is what the importer makes of the property file beside it', async () => {
    const file = `workload${letter}`
    const { spec } = await importWorkload({ file, text: read(`${file}.properties`) })
    expect(read(`${letter}.json`)).toBe(printSpec({ $schema: '../../spec.schema.json', ...spec }))
  })

  test('is what the command prints for the name of the workload', async () => {
    const { stdout, stderr, code } = await runCommandLine(['import', 'ycsb', `workload${letter}`])
    expect(code).toBe(0)
    expect(stdout.replace(/"\$schema": ".*"/, '')).toBe(read(`${letter}.json`).replace(/"\$schema": ".*"/, ''))
    expect(stderr).toContain('note: 2 s of warm-up')
  })

  test('has the proportions and the distribution of YCSB', () => {
    const spec = JSON.parse(read(`${letter}.json`)) as {
      description: string
      phases: { operations: { name: string; weight: number }[] }[]
    }
    const operations = spec.phases.flatMap((phase) => phase.operations)
    expect(Object.fromEntries(operations.map(({ name, weight }) => [name, weight]))).toEqual(shares)
    expect(spec.description).toContain(`Requests: ${distribution}.`)
  })
})
