import { mkdir, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Bench, unknownName } from '../benchmark.ts'
import { abBothWays } from './duet.ts'
import { abOfPairs } from './pairs.ts'
import { type PartContext } from './run-cases.ts'
import { abOnServer, plantedOnServer } from './server.ts'
import { abOfStubs } from './stub.ts'

const parts: Readonly<Record<string, (context: PartContext) => Promise<unknown>>> = {
  stub: abOfStubs,
  server: abOnServer,
  stretches: (context) => abOnServer({ ...context, rounds: undefined }),
  planted: plantedOnServer,
  pairs: abOfPairs,
  duet: abBothWays,
}

/**
 * How often `mongo-perf ab` is right: comparisons of real runs with a difference that is known, ten rounds each, against stub servers (`ab/stub`) and a
 * real one (`ab/server`, in alternating stretches `ab/stretches`; `ab/planted` measures how large its differences are), and `ab/duet` the same in alternating stretches and in rounds. `ab/pairs` has no known answer: it compares engines, drivers and indexes. On two cores with nothing else to do.
 */
export const abBench: Bench = async ({ mongod, print, part, out, quick }) => {
  const folder = path.resolve(out ?? (await mkdtemp(path.join(tmpdir(), 'mongo-perf-bench-'))))
  await mkdir(folder, { recursive: true })
  for (const name of part === undefined ? Object.keys(parts) : [part]) {
    const run = parts[name]
    if (!run) throw unknownName('part', name, Object.keys(parts))
    if (part === undefined) print(`\nab/${name}`)
    await run({ part: name, out: folder, rounds: quick ? 6 : 10, quick, mongod, print })
  }
}
