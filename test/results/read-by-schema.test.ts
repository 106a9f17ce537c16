import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { type z } from 'zod'
import { isObject, type Json, type JsonObject, type Path } from '../../src/core/json.ts'
import { placeKey, Stream } from '../../src/core/random.ts'
import { type Reader } from '../../src/language/json-schema/reader.ts'
import { shippedReader } from '../../src/language/json-schema/shipped-reader.ts'
import { reportSpec } from '../../src/metrics/report-schema.ts'
import { unpackResult } from '../../src/results/files/pack-result.ts'
import { readAsResult } from '../../src/results/files/results-file.ts'
import { result } from '../../src/results/schema.ts'
import { mutateJson } from '../fakes/mutate-json.ts'

/** What a schema makes of a value, as text, so that the order of keys counts too. Undefined: it refuses the value. */
type Made = (value: Json) => string | undefined

const byZod =
  (schema: z.ZodType): Made =>
  (value) => {
    const parsed = schema.safeParse(value)
    return parsed.success ? JSON.stringify(parsed.data) : undefined
  }

const byReader =
  (reader: Reader<unknown>): Made =>
  (value) => {
    const reading = reader(value)
    return 'value' in reading ? JSON.stringify(reading.value) : undefined
  }

const filesBelow = (folder: string, ending: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).flatMap((file) =>
    file.endsWith(ending) ? [`${folder}/${file}`] : [],
  )

const readJson = (file: string): JsonObject => JSON.parse(readFileSync(file, 'utf8')) as JsonObject

/** As they are validated. */
const storedFiles = [
  ...filesBelow('fixtures/invented-results', '.json'),
  ...filesBelow('fixtures/results', 'result.json'),
]
const stored = new Map(storedFiles.map((file) => [file, unpackResult(readJson(file)) as Json]))

/** Parts that may be anything. */
const anything = new Set(['effective', 'report'])

/** Lists of one item, and no more of what may be anything: what changes is read thousands of times. */
function shortened(node: Json): Json {
  if (Array.isArray(node)) return node.slice(0, 1).map(shortened)
  if (!isObject(node)) return node
  return Object.fromEntries(Object.entries(node).map(([key, item]) => [key, anything.has(key) ? {} : shortened(item)]))
}

const sizeOf = (value: Json): number => JSON.stringify(value).length

/** Objects whose keys are names of all sorts, with the same schema for each. */
const maps = new Set(['totals', 'unavailable', 'parameters', 'measures', 'facts'])

/** The places of values, each kind of place once: `tables[0].title` stands for the titles of all tables of all values. */
function* differentPlaces(values: readonly Json[]): Generator<{ readonly value: Json; readonly path: Path }> {
  const seen = new Set<string>()
  for (const value of values)
    for (const path of placesIn(value)) {
      const kind = path
        .map((step, index) => (typeof step === 'number' || maps.has(String(path[index - 1])) ? '*' : step))
        .join('.')
      if (!seen.has(kind)) yield { value, path }
      seen.add(kind)
    }
}

function placesIn(node: Json, path: Path = []): readonly Path[] {
  if (typeof node !== 'object' || node === null) return [path]
  const steps = Array.isArray(node) ? [...node.keys()] : Object.keys(node)
  return [
    path,
    ...steps.flatMap((step) => placesIn((node as Record<string | number, Json>)[step] ?? null, [...path, step])),
  ]
}

/** What does not belong in most places. Undefined: nothing, the key is removed. */
const others: readonly (Json | undefined)[] = [undefined, null, true, 1.5, 2 ** 60, 'other', [], { a: 1 }]

function withOther(node: Json, [step, ...rest]: Path, other: Json | undefined): Json {
  if (step === undefined) return other ?? null
  const copy = Array.isArray(node) ? [...node] : { ...(node as JsonObject) }
  const fields = copy as Record<string | number, Json>
  if (rest.length > 0 || other !== undefined) fields[step] = withOther(fields[step] ?? null, rest, other)
  else if (Array.isArray(copy)) copy.splice(Number(step), 1)
  else delete fields[step]
  return copy as Json
}

/** Compares what both make of values: what they read differently, and how many they accepted and refused. */
function agreement(zod: Made, reader: Made) {
  const counts = { accepted: 0, refused: 0 }
  const differences: string[] = []
  return {
    counts,
    differences,
    compare(value: Json, what: string): void {
      const expected = zod(value)
      if (reader(value) !== expected) differences.push(what)
      counts[expected === undefined ? 'refused' : 'accepted'] += 1
    },
  }
}

describe('a result is read as its zod schema reads it', () => {
  const both = [byZod(result), byReader(readAsResult)] as const
  // The smallest first: a place that several results have is changed in the one that is read fastest.
  const short = [...stored.values()].map(shortened).toSorted((a, b) => sizeOf(a) - sizeOf(b))

  test.each(storedFiles)('%s', (file) => {
    const [zod, reader] = both
    const value = stored.get(file) ?? null
    expect(reader(value)).toBe(zod(value))
    expect(reader(value)).toBeDefined()
  })

  test.each(others)('with %j in any place of a result', (other) => {
    const { compare, counts, differences } = agreement(...both)
    for (const { value, path } of differentPlaces(short)) compare(withOther(value, path, other), path.join('.'))
    expect(differences).toEqual([])
    expect(counts.accepted).toBeGreaterThan(250)
    expect(counts.refused).toBeGreaterThan(250)
  })

  test('with several changes at once', () => {
    const { compare, counts, differences } = agreement(...both)
    const stream = new Stream(placeKey(20261123, 'mutated results'))
    for (let n = 0; n < 1000; n++) {
      stream.at(n)
      const value = short[stream.below(short.length)] ?? null
      const other = short[stream.below(short.length)] ?? null
      compare(mutateJson(value, other, stream), `mutant ${n}`)
    }
    expect(differences).toEqual([])
    expect(counts.accepted).toBeGreaterThan(50)
    expect(counts.refused).toBeGreaterThan(50)
  })
})

describe('the report part of a result is read as its zod schema reads it', () => {
  const both = [byZod(reportSpec), byReader(shippedReader('report.schema.json'))] as const

  const reports = [...stored.values()].flatMap((value) => {
    const spec = isObject(value) ? value['spec'] : undefined
    return isObject(spec) ? (spec['report'] ?? []) : []
  })

  test('with anything else in any place, and with several changes at once', () => {
    const { compare, counts, differences } = agreement(...both)
    for (const [at, report] of reports.entries()) compare(report, `report ${at}`)
    expect(counts).toEqual({ accepted: storedFiles.length, refused: 0 })
    for (const { value, path } of differentPlaces(reports))
      for (const other of others)
        compare(withOther(value, path, other), `${JSON.stringify(other)} at ${path.join('.')}`)
    const stream = new Stream(placeKey(20261123, 'mutated reports'))
    for (let n = 0; n < 2000; n++) {
      stream.at(n)
      const report = reports[stream.below(reports.length)] ?? null
      const other = reports[stream.below(reports.length)] ?? null
      compare(mutateJson(report, other, stream), `mutant ${n}`)
    }
    expect(differences).toEqual([])
    expect(counts.accepted).toBeGreaterThan(500)
    expect(counts.refused).toBeGreaterThan(500)
  })
})
