import { expect, test } from 'vitest'
import { type ReportJson } from '../../../src/report/formats/json.ts'
import { workplace } from '../support/program.ts'
import { sharedServer } from '../support/shared-servers.ts'
import { threeRows } from '../support/specs.ts'

const server = sharedServer()

test('a run that was aborted goes on after its finished rows, and only with the same work', async () => {
  await using place = await workplace(server)
  // It is stopped in the turn of the event loop in which it says where it is.
  const file = await place.spec(threeRows({ seconds: 1 }))
  // There is nothing to go on with yet.
  const first = place.begin(['run', file, '--resume', '--log-level', 'trace'])
  await first.says('second read ')
  first.stop()
  expect((await first.ended).code).toBe(130)
  const aborted = await place.result('three-rows')

  const other = await place.run(['run', file, '--resume', '--set', 'documents=50'])
  expect(other).toMatchObject({ code: 2, stderr: expect.toSay('resume-of-other-work') })
  expect(await place.result('three-rows')).toEqual(aborted)

  const kept = expect.toHaveLine('resume-row-kept', { row: '[1/3] first' })
  expect(await place.run(['run', file, '--resume'])).toMatchObject({ code: 0, stderr: kept })
  const done = await place.result('three-rows')
  expect(done.status).toBe('done')
  expect(done.startedAt).toBe(aborted.startedAt)
  expect(done.variants[0]).toEqual(aborted.variants[0])
  const rows = done.variants.map(({ label, status }) => `${label} ${status}`)
  expect(rows).toEqual(['first done', 'second done', 'third done'])

  expect((await place.run(['run', file, '--resume'])).code).toBe(0)
  // Told anew, measured when it was.
  expect(await place.result('three-rows')).toEqual(done)
})

test('--repeat 3 runs all rows three times, in rounds, and cells show them together', async () => {
  await using place = await workplace(server)
  const columns = [{ parameter: 'label' }, 'opsPerSecond', 'runs']
  const file = await place.spec({
    ...threeRows({}),
    variants: [{ label: 'first' }, { label: 'second' }],
    report: { tables: [{ title: 'Speed', columns }] },
  })
  const run = await place.run(['run', file, '--repeat', '3', '--format', 'json', '--quiet'])
  expect([run.code, run.stderr]).toEqual([0, ''])

  const { variants } = await place.result('three-rows')
  expect(variants.map((variant) => variant.run)).toEqual([1, 1, 2, 2, 3, 3])
  const speeds = (label: string): number[] =>
    variants
      .filter((variant) => variant.label === label)
      .map(({ phases: [phase] }) => (phase?.operations[0]?.ok ?? 0) / (phase?.wallSeconds ?? 1))
      .toSorted((a, b) => a - b)
  const report = JSON.parse(run.stdout) as ReportJson
  expect(report.tables[0]?.rows.map(({ cells }) => cells)).toEqual([
    ['first', speeds('first')[1], 3],
    ['second', speeds('second')[1], 3],
  ])
})
