import path from 'node:path'
import { readResult } from '../../../src/results/files/results-file.ts'
import { type Result } from '../../../src/results/schema.ts'
import { type Workplace } from './program.ts'
import { ownTarget, threeRows } from './specs.ts'

/** Moments of a run in the middle of its second row, which lasts long there. */
export const moments = [
  { moment: 'the load', words: 'second loading docs', slow: { documents: 20_000_000 } },
  { moment: 'the warm-up', words: 'second read (warm-up)', slow: { warmup: 60 } },
  { moment: 'the measured phase', words: 'second read ░', slow: { seconds: 60 } },
] as const

/** A moment of a run, by what is printed then, and what makes its second row last. */
type Moment = { readonly words: string; readonly slow: object }

type Program = { readonly says: (words: string) => Promise<unknown> }

/** Starts a run, in this process or in one of its own, and waits for a moment of it. */
export async function untilSecondRow<Started extends Program>(
  place: Workplace,
  { words, slow }: Moment,
  start: (args: readonly string[]) => Started,
) {
  const file = await place.spec({ ...threeRows(slow), ...ownTarget })
  const program = start(['run', file, '--log-level', 'trace'])
  await program.says(words)
  const [server] = place.servers()
  if (!server) throw new Error('No server is written down')
  return { ...program, server }
}

/** The result of such a run, which is whole in spite of all. */
export const resultOfRows = ({ folder }: Workplace): Promise<Result> =>
  readResult(path.join(folder, 'mongo-perf-results', 'three-rows', 'result.json'))
