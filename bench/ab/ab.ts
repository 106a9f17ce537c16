import { mkdir, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Bench, unknownName } from '../benchmark.ts'
import { abCoupling } from './coupling.ts'
import { abBothWays } from './duet.ts'
import { abOfPairs } from './pairs.ts'
import { type PartContext } from './run-cases.ts'
import { abOnServer, plantedOnServer, readsOnServer } from './server.ts'
import { abOfStubs } from './stub.ts'

const parts: Readonly<Record<string, (context: PartContext) => Promise<unknown>>> = {
  stub: abOfStubs,
  server: abOnServer,
  turns: (context) => readsOnServer([0, 0.1, 0.05, 0.02], { ...context, rounds: undefined }),
  planted: plantedOnServer,
  pairs: abOfPairs,
  duet: abBothWays,
  coupling: abCoupling,
}

/**
 * How often `mongo-perf ab` is right: comparisons of real runs with a difference that is known, ten rounds each, against stub servers (`ab/stub`) and a
 * real one (`ab/server`; `ab/planted` measures how large its differences are). `ab/turns` has reads of a real server in turns, with
 * a budget for each difference, and `ab/duet` has both ways on both servers; of each difference there are ten, or as many as the variable COMPARISONS
 * says. `ab/coupling` measures a side beside one that writes much. `ab/pairs` has no known answer: it compares engines, drivers and indexes. On two cores with nothing else to do, after `npm run build`.
 */
export const abBench: Bench = async ({ mongod, print, part, out, quick }) => {
  const folder = path.resolve(out ?? (await mkdtemp(path.join(tmpdir(), 'mongo-perf-bench-'))))
  await mkdir(folder, { recursive: true })
  for (const name of part === undefined ? Object.keys(parts) : [part]) {
    const run = parts[name]
    if (!run) throw unknownName('part', name, Object.keys(parts))
    if (part === undefined) print(`\nab/${name}`)
    const comparisons = quick ? 1 : Number(process.env['COMPARISONS'] ?? 10)
    await run({ part: name, out: folder, rounds: quick ? 6 : 10, quick, comparisons, mongod, print })
  }
}
