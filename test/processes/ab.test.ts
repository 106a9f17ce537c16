import path from 'node:path'
import { expect, test } from 'vitest'
import { comesTrue, soonMs } from '../../bench/start/wait.ts'
import { readResult } from '../../src/results/files/results-file.ts'
import { isAlive } from '../../src/servers/targets/server/guardian/process-identity.ts'
import { nothingIsLeft, workplace } from '../contract/support/program.ts'
import { ownTarget, threeRows } from '../contract/support/specs.ts'

test('kill -9 of a comparison leaves the rounds that are done, and soon no server and no process', async () => {
  await using place = await workplace()
  const spec = { ...threeRows({}), ...ownTarget, variants: [{ label: 'only', seconds: 3 }] }
  const args = ['--b', 'warmup=0.2', '--rounds', '8', '--out', 'out']
  const { child, ended, says } = place.start(['ab', await place.spec(spec), ...args])
  await says('round 1 of 8 done')
  expect(await comesTrue(() => place.servers().length > 0, soonMs)).toBe(true)
  const [server] = place.servers()
  child.kill('SIGKILL')
  await ended
  expect(await comesTrue(() => server !== undefined && !isAlive(server), soonMs)).toBe(true)
  expect(await comesTrue(() => nothingIsLeft(place), soonMs)).toBe(true)
  for (const side of ['a', 'b']) {
    const { variants } = await readResult(path.join(place.folder, 'out', side, 'result.json'))
    expect(variants[0]?.status).toBe('done')
  }
})
