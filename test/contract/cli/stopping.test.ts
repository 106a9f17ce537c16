import { expect, test } from 'vitest'
import { isAlive } from '../../../src/servers/targets/server/guardian/process-identity.ts'
import { moments, resultOfRows, untilSecondRow } from '../support/interrupt.ts'
import { nothingIsLeft, workplace } from '../support/program.ts'

test.each(moments)('Ctrl-C in $moment keeps the finished row, writes a report and leaves no server', async (moment) => {
  await using place = await workplace()
  const { stop, ended, server } = await untilSecondRow(place, moment, place.begin)
  stop()
  const { code, stdout } = await ended
  expect(code).toBe(130)
  expect(isAlive(server)).toBe(false)
  expect(await nothingIsLeft(place)).toBe(true)
  const { status, variants } = await resultOfRows(place)
  const rows = variants.map((variant) => `${variant.label} ${variant.status}`)
  expect([status, ...rows]).toEqual(['aborted', 'first done', 'second aborted'])
  expect(stdout).toMatch(/\| (?:✗ )?first /)
  expect(stdout).not.toMatch(/NaN|Infinity|undefined/)
})
