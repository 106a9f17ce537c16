import { expect, test } from 'vitest'
import { workplace } from '../support/program.ts'
import { sharedServer } from '../support/shared-servers.ts'
import { fewReads } from '../support/specs.ts'

const server = sharedServer()

const counted = (expected: number) => [{ kind: 'countMatches', name: 'count', collection: 'docs', expect: expected }]

test('a check that is violated ends with 6, before a threshold that is missed', async () => {
  await using place = await workplace()
  const spec = await place.spec(fewReads({ checks: counted(11), thresholds: ['findOne.docsReturned < 0.5'] }))
  const run = await place.run(['run', spec, '--uri', server.uri])
  expect(run.code).toBe(6)
  expect(run.stderr).toHaveLine('check-violated-count', { found: 10, expected: 11 })
  expect(run.stderr).toContain('threshold missed: findOne.docsReturned < 0.5')
  expect(run.stdout).toMatch(/\*\*violated\*\*/)
})

test('a check that holds changes no exit code', async () => {
  await using place = await workplace()
  const run = await place.run(['run', await place.spec(fewReads({ checks: counted(10) })), '--uri', server.uri])
  expect(run.code).toBe(0)
  expect(run.stdout).toMatch(/\| count \(countMatches\) \| held +\|/)
  expect((await place.result('few-reads')).variants[0]?.checks[0]?.status).toBe('held')
})
