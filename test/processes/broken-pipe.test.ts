import { expect, test } from 'vitest'
import { workplace } from '../contract/support/program.ts'
import { fewReads, ownTarget } from '../contract/support/specs.ts'

test('a reader that has seen enough does no harm', async () => {
  await using place = await workplace()
  const { child, ended } = place.start(['run', await place.spec(fewReads(ownTarget)), '--format', 'csv'])
  child.stdout?.destroy()
  const { code, stderr } = await ended
  expect(code).toBe(0)
  expect(stderr).toContain('Report: ')
  expect((await place.result('few-reads')).status).toBe('done')
})
