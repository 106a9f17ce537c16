import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { workplace } from '../contract/support/program.ts'

test('the specs of write concerns run, and failures that they expect end with 0', async () => {
  await using place = await workplace()
  const { code, stderr } = await place.run(['run', 'write-concern', '--profile', 'smoke', '--repeat', '2'])
  expect({ code, stderr }).toEqual({ code: 0, stderr })

  const modes = await place.result('modes')
  expect(modes.variants).toHaveLength(2 * 2 * 14)
  const unanswered = modes.variants.flatMap(({ phases }) =>
    phases.flatMap(({ unacknowledged }) => unacknowledged ?? []),
  )
  expect(unanswered).toHaveLength(2 * 2 * 4)
  for (const { sent, arrived } of unanswered) expect(arrived).toBe(sent)

  const down = (await place.result('member-down')).variants[0]?.phases.flatMap(({ operations }) => operations) ?? []
  const outcomes = down.map(({ name, errors }) => [name, errors[0]?.name ?? null])
  expect(outcomes).toEqual([
    ['w1', null],
    ['w2-wtimeout', 'WriteConcernFailed'],
    ['majority-wtimeout', 'WriteConcernFailed'],
    ['w2', 'DeadlineExceeded'],
    ['majority', 'DeadlineExceeded'],
    ['w1-again', null],
    ['stored', null],
  ])

  const { variants: changed } = await place.result('write-concern-change')
  const survived = changed.flatMap(({ label, checks }) =>
    checks.map(({ status, measures: { acknowledged = 0 } }) => ({ label, status, isMeasured: acknowledged > 0 })),
  )
  // One member may take what it has acknowledged with it; a majority does not.
  const after = survived.filter(({ label }) => label === 'writeConcern after')
  expect(after).toEqual(
    Array.from({ length: 2 }, () => ({ label: 'writeConcern after', status: 'held', isMeasured: true })),
  )
  expect(survived).toHaveLength(2 * 2)
  for (const { status } of survived) expect(['held', 'allowed']).toContain(status)

  for (const name of ['modes', 'member-down', 'write-concern-change']) {
    const folder = path.join(place.folder, 'mongo-perf-results', name)
    expect(await readFile(path.join(folder, 'report.md'), 'utf8')).not.toMatch(/undefined|NaN|\[object|\{\{/)
  }
  expect(place.servers()).toEqual([])
}, 600_000)
