import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { readResult } from '../../../src/results/results-file.ts'
import { isAlive } from '../../../src/targets/server/process-identity.ts'
import { type Workplace, workplace } from '../support/program.ts'
import { ownTarget, threeRows } from '../support/specs.ts'

const moments = [
  { moment: 'the load', words: 'second loading docs', slow: { documents: 20_000_000 } },
  { moment: 'the warm-up', words: 'second read (warm-up)', slow: { warmup: 60 } },
  { moment: 'the measured phase', words: 'second read ░', slow: { seconds: 60 } },
] as const

/** Starts a run and waits until it is in the middle of its second row. */
async function startUntil(place: Workplace, { words, slow }: (typeof moments)[number]) {
  const file = await place.spec({ ...threeRows(slow), ...ownTarget })
  const program = place.begin(['run', file, '--log-level', 'trace'])
  await program.says(words)
  const [server] = place.servers()
  if (!server) throw new Error('No server is written down')
  return { ...program, server }
}

const resultFile = (place: Workplace): string =>
  path.join(place.folder, 'mongo-perf-results', 'three-rows', 'result.json')

const nothingIsLeft = async (place: Workplace): Promise<boolean> =>
  place.servers().length === 0 && (await readdir(place.temp)).length === 0

test.each(moments)('Ctrl-C in $moment keeps the finished row, writes a report and leaves no server', async (moment) => {
  await using place = await workplace()
  const { stop, ended, server } = await startUntil(place, moment)
  stop()
  const { code, stdout } = await ended
  expect(code).toBe(130)
  expect(isAlive(server)).toBe(false)
  expect(await nothingIsLeft(place)).toBe(true)
  const { status, variants } = await readResult(resultFile(place))
  expect(status).toBe('aborted')
  expect(variants.map((variant) => [variant.label, variant.status])).toEqual([
    ['first', 'done'],
    ['second', 'aborted'],
  ])
  expect(stdout).toMatch(/\| +first /)
  expect(stdout).not.toMatch(/NaN|Infinity|undefined/)
})
