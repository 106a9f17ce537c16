import { readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { baseline, machineClass, toSlug } from '../../../src/verdicts/testing/baseline.ts'
import { type MatcherName } from '../../../src/verdicts/testing/expectations/index.ts'
import { type GivenTo, judge, verify } from '../../../src/verdicts/testing/matchers.ts'
import { type Measurement } from '../../../src/verdicts/testing/measurement.ts'
import { aMeasurement, someWork } from '../../fakes/a-measurement.ts'
import { useFreshFolder } from '../../fakes/temporary-folder.ts'

const inFolder = useFreshFolder()

/** Judges, and returns the notes that were printed too. */
function judged<Name extends MatcherName>(name: Name, measurement: Measurement, given: GivenTo<Name>) {
  const notes: string[] = []
  return { ...judge(name, measurement, given, { note: (text) => notes.push(text) }), notes }
}

/** Looks for the baseline of a measurement, or saves it. */
const find = (measurement: Measurement, { machine = 'ci-small', update = false } = {}) =>
  baseline(measurement, { folder: inFolder(), machine, update })

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

const fileOfRates = (): string => inFolder('ci-small', 'orders-of-a-customer.json')

test('a baseline is a file with one line for each field', async () => {
  await find(rates(1))
  expect(await readFile(fileOfRates(), 'utf8')).toSay('test-baseline-file')
})

test('a measurement without a baseline is saved, and a note asks to commit the file', async () => {
  const first = rates(1)
  const saved = await find(first)
  const { pass, notes } = judged('toBeNoSlowerThan', first, [saved])
  expect(pass).toBe(true)
  expect(notes).toSay('test-baseline-saved', { file: fileOfRates() })
  const refreshed = await find(rates(0.5), { update: true })
  const [line] = judge('toBeNoSlowerThan', rates(0.5), [refreshed]).message().split('\n')
  expect(line).toSay('test-baseline-updated', { file: fileOfRates() })
})

test('later measurements are compared with it, and a better one asks to refresh it', async () => {
  await find(rates(1))
  const kept = await find(rates(0.7))
  expect(() => verify(rates(0.7)).toBeNoSlowerThan(kept)).toSay('slower-than-baseline', { now: 700, before: 1000 })
  verify(rates(1)).toBeNoSlowerThan(kept)
  const { pass, notes } = judged('toBeNoSlowerThan', rates(1.3), [kept])
  expect(pass).toBe(true)
  expect(notes).toSay('test-baseline-better')
})

test('a refreshed baseline differs in the lines of its numbers alone', async () => {
  await find(rates(1))
  const before = (await readFile(fileOfRates(), 'utf8')).split('\n')
  await find(rates(1.3, { speed: 110 }), { update: true })
  const after = (await readFile(fileOfRates(), 'utf8')).split('\n')
  expect(after.flatMap((line, i) => (line === before[i] ? [] : i + 1))).toEqual([5, 6, 7])
})

const fileOfWork = (): string => inFolder('any-machine', 'orders-of-a-customer.json')

test('the work of a call is kept for all machines, also where nothing was timed', async () => {
  const untimed = { ...rates(1), rounds: [], latency: null, notTimed: 'MONGO_PERF is "off"' }
  const saved = await find(untimed)
  const { pass, notes } = judged('toDoNoMoreWorkThan', untimed, [saved])
  expect(pass).toBe(true)
  expect(notes).toSay('test-baseline-saved', { file: fileOfWork() })
  expect(await readFile(fileOfWork(), 'utf8')).toSay('test-baseline-file-of-work')
  const more = { ...untimed, work: someWork({ docsExamined: 100, keysExamined: 100, docsReturned: 100 }) }
  const kept = await find(more, { machine: 'ci-large' })
  expect(() => verify(more).toDoNoMoreWorkThan(kept)).toSay('more-work-than-baseline', { now: 100, before: 20 })
  const refreshed = await find(more, { update: true })
  const [line] = judge('toDoNoMoreWorkThan', more, [refreshed]).message().split('\n')
  expect(line).toSay('test-baseline-updated', { file: fileOfWork() })
  expect(() => verify(untimed).toDoNoMoreWorkThan(more)).not.toThrow()
})

test('CPU time is compared with that of the same class of machines', async () => {
  await find(rates(1))
  const slower = aMeasurement({ rounds: [300, 310, 290, 305, 295, 300].map((cpuUs) => ({ cpuUs })) })
  const now = { ...slower, name: 'orders of a customer' }
  const kept = await find(now)
  expect(() => verify(now).toDoNoMoreWorkThan(kept, { cpuPercent: 25 })).toSay('more-cpu-than-baseline', {
    now: 300,
    before: 200,
  })
  expect(judge('toDoNoMoreWorkThan', now, [kept, { cpuPercent: 100 }]).verdict).toBe('holds')
})

test('measurements and classes of machines have files of their own', async () => {
  await find(rates(1))
  await find(rates(1, { name: 'Größe' }))
  await find(rates(1), { machine: 'ci-large' })
  const files = await readdir(inFolder(), { recursive: true })
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
  ['another load', { ...rates(0.7), load: { workers: 4 } }, 'test-baseline-other-load'],
  ['a machine in another state', rates(0.7, { speed: 80 }), 'test-baseline-slower-machine'],
])('with %s nothing can be told', async (_, later, code) => {
  await find(rates(1))
  const { verdict, message } = judged('toBeNoSlowerThan', later, [await find(later)])
  expect(verdict).toBe('cannot tell')
  expect(message().split('\n')[0]).toSay(code)
})

test('times that were not measured are not saved, and neither are commands that were not seen', async () => {
  const unseen = { ...rates(1), work: null, rounds: [], latency: null, notTimed: 'MONGO_PERF is "off"' }
  await find(unseen, { update: true })
  expect(await readdir(inFolder())).toEqual([])
})

test('names that cannot be those of files, and those of two measurements, are refused', async () => {
  const wrongClass = find(rates(1), { machine: '../main' })
  await expect(wrongClass).rejects.toSay('machine-class-wrong', { name: '../main' })
  for (const name of ['the function', '?!'])
    await expect(find(rates(1, { name }))).rejects.toSay('test-baseline-of-unnamed', { name })
  await find(rates(1))
  const same = find(rates(1, { name: 'Orders of a customer!' }))
  await expect(same).rejects.toSay('test-baseline-same-file', { file: fileOfRates() })
})

test('a file with the conflicts of a merge is reported, with the way out', async () => {
  await find(rates(1))
  const file = fileOfRates()
  await writeFile(file, `<<<<<<< ours\n${await readFile(file, 'utf8')}`)
  await expect(find(rates(1))).rejects.toSay('test-baseline-unreadable', { file })
})

const cpu = (model: string) => [{ model }]

test('the class of a machine is readable', () => {
  expect(machineClass({}, cpu('AMD EPYC 7B13 64-Core Processor'), 2)).toMatch(/^amd-epyc-7b13-2-cores-[a-z0-9]+$/)
  expect(machineClass({}, cpu('Intel(R) Xeon(R) CPU @ 2.20GHz'), 1)).toMatch(/^intel-xeon-1-core-[a-z0-9]+$/)
  expect(machineClass({}, [], 4)).toMatch(/^4-cores-[a-z0-9]+$/)
  expect(machineClass({ MONGO_PERF_MACHINE: 'ci-small' })).toBe('ci-small')
  expect(toSlug(' Orders: of a customer ')).toBe('orders-of-a-customer')
})
