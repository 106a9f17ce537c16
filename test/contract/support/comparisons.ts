import path from 'node:path'
import { expect } from 'vitest'
import { comesTrue, soonMs } from '../../../bench/start/wait.ts'
import { readResult } from '../../../src/results/files/results-file.ts'
import { type Result } from '../../../src/results/schema.ts'
import { type Workplace } from './program.ts'
import { fewReads, ownTarget } from './specs.ts'

/** A spec whose sides may differ in their workers. */
export const reads = (phase: object = { stopAfter: { operations: 400 } }) =>
  fewReads({
    parameters: { workers: 2 },
    phases: [
      {
        name: 'read',
        load: { kind: 'closed', workers: { '@param': 'workers' } },
        operations: [{ kind: 'findOne', filter: { _id: 5 } }],
        ...phase,
      },
    ],
  })

/** Results of both sides, written with `--out out`. */
export const sides = (place: Workplace): Promise<readonly Result[]> =>
  Promise.all(['a', 'b'].map((side) => readResult(path.join(place.folder, 'out', side, 'result.json'))))

/** Starts a comparison of long rounds, and waits for a server of the second round. */
export async function untilSecondRound(place: Workplace, options: readonly string[] = []) {
  const file = await place.spec({ ...reads({ stopAfter: { seconds: 3 } }), ...ownTarget })
  const program = place.begin(['ab', file, '--b', 'workers=4', '--rounds', '8', '--out', 'out', ...options])
  await program.says('round 1 of 8 done')
  expect(await comesTrue(() => place.servers().length > 0, soonMs)).toBe(true)
  const [own] = place.servers()
  if (!own) throw new Error('No server is written down')
  return { ...program, own }
}
