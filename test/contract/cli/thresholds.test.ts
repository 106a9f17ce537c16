import { expect, test } from 'vitest'
import { systemClock } from '../../../src/core/clock.ts'
import { assumeSpeed } from '../../../src/run/instruments/machine-speed.ts'
import { workplace } from '../support/program.ts'
import { sharedServer } from '../support/shared-servers.ts'
import { fewReads, threeRows } from '../support/specs.ts'

const server = sharedServer()
const there = (): readonly string[] => ['--uri', server.uri]

test('thresholds of spec and command line are told in the report, held or missed, and a missed one ends with 5', async () => {
  await using place = await workplace()
  const spec = await place.spec(fewReads({ thresholds: ['errors == 0'] }))
  const run = await place.run(['run', spec, ...there(), '--threshold', 'findOne.docsReturned < 0.5'])
  expect(run.code).toBe(5)
  expect(run.stdout).toMatch(/\| errors == 0 +\| +0 \| held +\|\n/)
  expect(run.stdout).toMatch(/\| findOne\.docsReturned < 0\.5 +\| +[\d.]+ \| missed +\|\n/)
  expect((await place.result('few-reads')).spec.thresholds).toEqual(['errors == 0', 'findOne.docsReturned < 0.5'])
})

test('a row that misses a threshold with "abort" is the last one', async () => {
  await using place = await workplace()
  const spec = threeRows({}, { name: 'read' })
  const thresholds = [{ holds: 'findOne.docsReturned < 0.5', abort: true }]
  const run = await place.run(['run', await place.spec({ ...spec, thresholds }), ...there()])
  expect(run.code).toBe(5)
  const measured = String(/measured ([\d.]*\d)/.exec(run.stdout)?.[1])
  expect(run.stdout).toHaveLine('run-ended-early-in-report', {
    threshold: 'findOne.docsReturned < 0.5',
    row: 'first',
    measured,
  })
  const { status, variants } = await place.result('three-rows')
  expect([status, ...variants.map((row) => `${row.label} ${row.status}`)]).toEqual(['aborted', 'first done'])
})

test('without "abort", all rows are run', async () => {
  await using place = await workplace()
  const spec = { ...threeRows({}), thresholds: ['findOne.docsReturned < 0.5'] }
  const { code, stderr } = await place.run(['run', await place.spec(spec), ...there()])
  expect(code).toBe(5)
  const masked = stderr.replace(/(?<=in row )"\w+": measured [\d.]+/, '"ROW": measured N')
  expect(masked).toHaveLine('run-threshold-missed-more', {
    threshold: 'findOne.docsReturned < 0.5',
    measured: 'N',
    more: 2,
  })
  expect((await place.result('three-rows')).status).toBe('done')
})

test('a phase ends within moments when too many documents are missing', async () => {
  await using place = await workplace()
  const operations = [{ kind: 'findOne', filter: { _id: -1 }, expectDocuments: 1 }]
  const spec = fewReads({ phases: [{ name: 'read', stopAfter: { operations: 100_000 }, operations }] })
  const limits = ['--threshold', 'missing <= 3', '--abort-on-threshold']
  const run = await place.run(['run', await place.spec(spec), ...there(), ...limits])
  expect(run.code).toBe(5)
  const [phase] = (await place.result('few-reads')).variants[0]?.phases ?? []
  expect(phase?.endedBecause).toBe('aborted')
  const { ok = 0, missing = 0 } = phase?.operations[0] ?? {}
  expect(missing).toBe(ok)
  expect(ok).toBeGreaterThan(3)
  expect(ok).toBeLessThan(100_000)
})

test('a threshold may ask for the speed of the machine, and end the run where it is missed', async () => {
  assumeSpeed(systemClock, undefined)
  await using place = await workplace()
  const quick = fewReads({ variants: [{ label: 'first' }, { label: 'second' }] })
  const file = await place.spec(quick)
  const met = await place.run(['run', file, ...there(), '--threshold', 'machineSpeedPercent >= 0'])
  expect(met.code).toBe(0)
  expect(met.stdout).toMatch(/\| machineSpeedPercent >= 0 +\| +[\d.]+ \| \w+ +\| held +\|\n/)
  // 100 is the fastest of them.
  const threshold = 'machineSpeedPercent > 100'
  const missed = await place.run(['run', file, ...there(), '--threshold', threshold, '--abort-on-threshold'])
  const ended = expect.toHaveLine('run-ended-early-in-report', { threshold, row: 'first', measured: 100 })
  expect(missed).toMatchObject({ code: 5, stdout: ended })
  expect((await place.result('few-reads')).variants.map(({ label }) => label)).toEqual(['first'])
})
