import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { baseline, type BaselineOptions, machineClass, toSlug } from '../../../src/verdicts/testing/baseline.ts'
import { judge, verify } from '../../../src/verdicts/testing/matchers.ts'
import { type Measurement } from '../../../src/verdicts/testing/measurement.ts'
import { aMeasurement, someWork } from '../../fakes/a-measurement.ts'

let folder: string
let options: BaselineOptions

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'mongo-perf-baselines-'))
  options = { folder, machine: 'ci-small', update: false }
})

afterEach(() => rm(folder, { recursive: true }))

const rates = (factor: number, { name = 'orders of a customer', speed = 100 } = {}): Measurement => ({
  ...aMeasurement({
    rounds: [1000, 1014.04, 990, 1004, 995, 1000].map((rate) => ({
      callsPerSecond: rate * factor,
      meanMs: 1000 / (rate * factor),
    })),
    machineSpeed: speed,
  }),
  name,
  series: Symbol('later'),
})

const fileOf = (name: string): string => path.join(folder, 'ci-small', `${name}.json`)

test('a baseline is a file with one line for each field', async () => {
  await baseline(rates(1), options)
  expect(await readFile(fileOf('orders-of-a-customer'), 'utf8')).toBe(`{
  "format": "mongo-perf-test-baseline",
  "name": "orders of a customer",
  "load": {"workers":1},
  "machineSpeed": 100,
  "callsPerSecond": [1000,1010,990,1000,995,1000],
  "meanMs": [1,0.986,1.01,0.996,1.01,1],
  "cpuUs": [200,200,200,200,200,200]
}
`)
})

test('a measurement without a baseline is saved, and a note asks to commit the file', async () => {
  const first = rates(1)
  const saved = await baseline(first, options)
  const notes: string[] = []
  expect(judge('toBeNoSlowerThan', first, [saved], { note: (text) => notes.push(text) }).pass).toBe(true)
  expect(notes).toEqual([
    `orders of a customer had no baseline, and was not compared: it is saved as ${fileOf('orders-of-a-customer')}. Commit that file.`,
  ])
  const refreshed = await baseline(rates(0.5), { ...options, update: true })
  expect(judge('toBeNoSlowerThan', rates(0.5), [refreshed]).message()).toContain('was saved as')
})

test('later measurements are compared with it, and a better one asks to refresh it', async () => {
  await baseline(rates(1), options)
  const kept = await baseline(rates(0.7), options)
  expect(() => verify(rates(0.7)).toBeNoSlowerThan(kept)).toThrow(
    /made 700 calls per second, and its baseline 1000: 30 % lower .* which is worse/,
  )
  verify(rates(1)).toBeNoSlowerThan(kept)
  const notes: string[] = []
  expect(judge('toBeNoSlowerThan', rates(1.3), [kept], { note: (text) => notes.push(text) }).pass).toBe(true)
  expect(notes).toEqual([expect.stringContaining('refresh that with MONGO_PERF_BASELINE=update')])
})

test('a refreshed baseline differs in the lines of its numbers alone', async () => {
  await baseline(rates(1), options)
  const before = (await readFile(fileOf('orders-of-a-customer'), 'utf8')).split('\n')
  await baseline(rates(1.3, { speed: 110 }), { ...options, update: true })
  const after = (await readFile(fileOf('orders-of-a-customer'), 'utf8')).split('\n')
  expect(after.flatMap((line, i) => (line === before[i] ? [] : i + 1))).toEqual([5, 6, 7])
})

const fileOfWork = (): string => path.join(folder, 'any-machine', 'orders-of-a-customer.json')

test('the work of a call is kept for all machines, also where nothing was timed', async () => {
  const untimed = { ...rates(1), rounds: [], latency: null, notTimed: 'MONGO_PERF is "off"' }
  const saved = await baseline(untimed, options)
  const notes: string[] = []
  expect(judge('toDoNoMoreWorkThan', untimed, [saved], { note: (text) => notes.push(text) }).pass).toBe(true)
  expect(notes).toEqual([
    `orders of a customer had no baseline, and was not compared: it is saved as ${fileOfWork()}. Commit that file.`,
  ])
  expect(await readFile(fileOfWork(), 'utf8')).toBe(`{
  "format": "mongo-perf-work-baseline",
  "name": "orders of a customer",
  "docsExamined": 20,
  "keysExamined": 20,
  "docsReturned": 20,
  "bytesReturned": 2000,
  "commands": 1,
  "roundTrips": 1
}
`)
  const more = { ...untimed, work: someWork({ docsExamined: 100, keysExamined: 100, docsReturned: 100 }) }
  const kept = await baseline(more, { ...options, machine: 'ci-large' })
  expect(() => verify(more).toDoNoMoreWorkThan(kept)).toThrow(
    'orders of a customer does more work in a call than its baseline: 100 documents examined (20 there), 100 keys examined (20 there), 100 documents returned (20 there).',
  )
  const refreshed = await baseline(more, { ...options, update: true })
  expect(judge('toDoNoMoreWorkThan', more, [refreshed]).message()).toContain('was saved as')
  expect(() => verify(untimed).toDoNoMoreWorkThan(more)).not.toThrow()
})

test('CPU time is compared with that of the same class of machines', async () => {
  await baseline(rates(1), options)
  const slower = aMeasurement({ rounds: [300, 310, 290, 305, 295, 300].map((cpuUs) => ({ cpuUs })) })
  const now = { ...slower, name: 'orders of a customer' }
  const kept = await baseline(now, options)
  expect(() => verify(now).toDoNoMoreWorkThan(kept, { cpuPercent: 25 })).toThrow(
    'took 300 µs of CPU time for a call, and its baseline 200 µs: 50 % higher',
  )
  expect(judge('toDoNoMoreWorkThan', now, [kept, { cpuPercent: 100 }]).verdict).toBe('holds')
})

test('measurements and classes of machines have files of their own', async () => {
  await baseline(rates(1), options)
  await baseline(rates(1, { name: 'Größe' }), options)
  await baseline(rates(1), { ...options, machine: 'ci-large' })
  const files = await readdir(folder, { recursive: true })
  expect(files.filter((file) => file.endsWith('.json')).toSorted()).toEqual(
    [
      'any-machine/größe.json',
      'any-machine/orders-of-a-customer.json',
      'ci-large/orders-of-a-customer.json',
      'ci-small/größe.json',
      'ci-small/orders-of-a-customer.json',
    ].map((file) => path.normalize(file)),
  )
})

test.each([
  ['another load', { ...rates(0.7), load: { workers: 4 } }, ', which was measured with another load'],
  [
    'a machine in another state',
    rates(0.7, { speed: 80 }),
    ': the machine was 20 % slower than when that was measured',
  ],
])('with %s nothing can be told', async (_, later, difference) => {
  await baseline(rates(1), options)
  const { verdict, message } = judge('toBeNoSlowerThan', later, [await baseline(later, options)], { note: () => {} })
  expect(verdict).toBe('cannot tell')
  expect(message()).toContain(`cannot be compared with its baseline${difference}`)
})

test('times that were not measured are not saved, and neither are commands that were not seen', async () => {
  await baseline(
    { ...rates(1), work: null, rounds: [], latency: null, notTimed: 'MONGO_PERF is "off"' },
    { ...options, update: true },
  )
  expect(await readdir(folder)).toEqual([])
})

test('names that cannot be those of files, and those of two measurements, are refused', async () => {
  await expect(baseline(rates(1), { ...options, machine: '../main' })).rejects.toThrow(
    '"../main" cannot be the name of a class of machines',
  )
  await expect(baseline(rates(1, { name: 'the function' }), options)).rejects.toThrow('cannot have a baseline')
  await expect(baseline(rates(1, { name: '?!' }), options)).rejects.toThrow('cannot have a baseline')
  await baseline(rates(1), options)
  await expect(baseline(rates(1, { name: 'Orders of a customer!' }), options)).rejects.toThrow(
    'is the baseline of "orders of a customer", and "Orders of a customer!" would have the same file',
  )
})

test('a file with the conflicts of a merge is reported, with the way out', async () => {
  await baseline(rates(1), options)
  const file = fileOf('orders-of-a-customer')
  await writeFile(file, `<<<<<<< ours\n${await readFile(file, 'utf8')}`)
  await expect(baseline(rates(1), options)).rejects.toMatchObject({
    code: 'result-unreadable',
    hint: expect.stringContaining('Delete it'),
  })
})

const cpu = (model: string) => [{ model }]

test('the class of a machine is readable', () => {
  expect(machineClass({}, cpu('AMD EPYC 7B13 64-Core Processor'), 2)).toMatch(/^amd-epyc-7b13-2-cores-[a-z0-9]+$/)
  expect(machineClass({}, cpu('Intel(R) Xeon(R) CPU @ 2.20GHz'), 1)).toMatch(/^intel-xeon-1-core-[a-z0-9]+$/)
  expect(machineClass({}, [], 4)).toMatch(/^4-cores-[a-z0-9]+$/)
  expect(machineClass({ MONGO_PERF_MACHINE: 'ci-small' })).toBe('ci-small')
  expect(toSlug(' Orders: of a customer ')).toBe('orders-of-a-customer')
})
