import { readFileSync, readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { nearest } from '../src/core/nearest.ts'
import { toOutcome } from '../src/load/engines/outcomes.ts'
import { readAddress } from '../src/metrics/address.ts'
import { findShape } from '../src/protocol/bson/command-shape.ts'
import { toLabel } from '../src/report/charts/labels.ts'
import { resultFiles } from '../src/report/html/packed.ts'
import { readEntry } from '../src/sources/init/profile/profiled-call.ts'
import { numberFromZero } from '../src/traffic/record/read-request.ts'
import { callOfEntry } from '../src/traffic/record/slow-operation.ts'
import { hideValues } from '../src/traffic/recording/hide-values.ts'
import { reasonKeptOut } from '../src/traffic/recording/recorded-call.ts'
import { findTreatment } from '../src/traffic/replay/replayable.ts'
import { fakeResult } from './fakes/fake-result.ts'
import { aCall, commandOf } from './traffic/calls.ts'

/** Names that every object literal has, besides its own. */
const names = ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf'] as const

/** With `__proto__` as a key, which a literal does not have. */
const keyed = (name: string, value: unknown): Record<string, unknown> => Object.fromEntries([[name, value]])

const entry = (name: string, op = 'command') => ({
  op,
  ns: 'shop.orders',
  command: keyed(name, 'orders'),
  ts: new Date(),
})

/** What takes a name from a client, a server, a file or the command line, and what it returns for one that it does not know. */
const readers: readonly (readonly [
  reader: string,
  read: (name: string) => unknown,
  expected: (name: string) => unknown,
])[] = [
  ['the commands that are never recorded', reasonKeptOut, () => undefined],
  [
    'the commands that are replayed',
    (name) => findTreatment(aCall(keyed(name, 1))),
    (name) => ({ leftOut: expect.stringContaining(name) }),
  ],
  ['the shape of a call', (name) => findShape(aCall(keyed(name, 'orders'))).name, (name) => `${name} orders`],
  [
    'what hides values',
    (name) => Object.keys(commandOf(hideValues('shape')(aCall({ find: 'a', filter: keyed(name, 'b') })))['filter']),
    (name) => [name],
  ],
  [
    'an entry of a profile to record',
    (name) => callOfEntry(entry(name), 0, { connection: numberFromZero(), session: numberFromZero() }),
    (name) => expect.objectContaining({ name }),
  ],
  [
    'an entry of a profile for a spec',
    (name) => readEntry(entry(name), 'shop'),
    (name) => expect.objectContaining({ skipped: expect.stringContaining(name) }),
  ],
  ['the class of an error', (name) => toOutcome(Object.assign(new Error('no'), { name })).kind, () => 'failed'],
  ['the code of an error', (name) => toOutcome(Object.assign(new Error('no'), { code: name })).name, () => 'Error'],
  ['the address of a metric', (name) => 'reason' in readAddress(name, { phases: [], checks: [] } as never), () => true],
  ['a label of a chart', toLabel, () => expect.not.stringContaining('function')],
  ['the nearest word', (name) => nearest(name, ['find']), () => undefined],
]

test.each(readers)('%s knows no name that every object has', (_, read, expected) => {
  for (const name of names) expect(read(name)).toEqual(expected(name))
})

test('a field of a result that has such a name stays in the page', () => {
  const environment = Object.fromEntries(names.map((name) => [name, { samples: [1] }]))
  const [file] = resultFiles([fakeResult({ environment: { ...fakeResult().environment, ...environment } })])
  for (const name of names.filter((one) => one !== '__proto__')) expect(JSON.stringify(file)).toContain(`"${name}"`)
})

/** Tables whose keys come from the program itself, or from a regular expression. */
const ownKeys: ReadonlySet<string> = new Set(['comparisons', 'countFields', 'secondsByUnit', 'entities', 'synonyms'])
/** Importers that are on their way out. */
const leaving = /sources\/(genny|simrunner|nosqlbench|mongo-perf|workloads)\//

test('no literal is looked up by a name without asking for its own keys', () => {
  const looked = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !leaving.test(file))
    .flatMap((file) => {
      const source = readFileSync(`src/${file}`, 'utf8')
      const tables = [...source.matchAll(/const (\w+): Readonly<Record<string, .*>> = \{/g)].map(
        ([, name = '']) => name,
      )
      return tables
        .filter(
          (name) =>
            !ownKeys.has(name) &&
            new RegExp(`(?<![\\w.])${name}(\\?\\.)?\\[`).test(source) &&
            !source.includes(`Object.hasOwn(${name}, `),
        )
        .map((name) => `${file}: ${name} (use a Map)`)
    })
  expect(looked).toEqual([])
})
