import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { type PhaseResult } from '../../src/entries/index.ts'
import { readResult } from '../../src/entries/results.ts'
import { computeSummary, successes } from '../../src/metrics/latency.ts'
import { type Calls } from '../../src/metrics/scope.ts'
import { groupBy } from '../../src/metrics/statistics.ts'
import { propertyOptions } from '../go-ycsb.ts'
import { type Printed, runTool } from './run-tool.ts'
import { type Figures, type Job, type Kind, type Tool } from './tool.ts'

/** The built program, with one of its engines, and a spec that it imports from the property file. */
export const mongoPerf = (engine: 'driver' | 'wire'): Tool => ({
  name: `mongo-perf ${engine}`,
  async prepare(job) {
    const spec = path.join(job.folder, 'spec.json')
    const imported = await importedSpec(job, spec)
    return async () => {
      // With the seed of the run before, updates would write what is there already: less work for the server.
      seed += 1
      await writeFile(spec, JSON.stringify({ ...imported, seed }))
      const where = ['--uri', String(job.properties['mongodb.url']), '--allow-writes', 'ycsb.usertable']
      const { cpu } = await command(['run', spec, '--engine', engine, ...where, '--out', job.folder], job)
      return { figures: await figuresIn(job), cpu }
    }
  },
})

const program = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))

const command = (args: readonly string[], { server }: Job): Promise<Printed> =>
  runTool(process.execPath, [program, ...args], server)

/** Seed of the last run, of either engine. */
let seed = 0

/** With as long a warm-up as the other tools. */
async function importedSpec(job: Job, spec: string): Promise<object> {
  const { file, seconds } = job
  const properties = propertyOptions({ ...job.properties, maxexecutiontime: seconds })
  await command(['import', 'ycsb', file, '--existing', ...properties, '--force', '--out', spec], job)
  const imported = JSON.parse(await readFile(spec, 'utf8')) as { readonly phases: readonly object[] }
  const phases = imported.phases.map((phase) => ({ ...phase, warmup: { seconds } }))
  return { ...imported, phases }
}

async function figuresIn({ file, folder }: Job): Promise<Figures> {
  const name = path.basename(file, '.properties').replace('workload', 'ycsb-')
  const result = await readResult(path.join(folder, name, 'result.json'))
  const phase = result.variants[0]?.phases[0]
  if (!phase) throw new Error('The phase has no result')
  const { operations, wallSeconds } = phase
  const fromMs = Date.parse(phase.startedAt)
  return {
    opsPerSecond: sum(operations, ({ ok, failed, unknown }) => ok + failed + unknown) / wallSeconds,
    p99Ms: p99OfKinds([...operations, ...operations.flatMap(({ steps }) => steps)]),
    failures: sum(operations, ({ failed, unknown }) => failed + unknown) + foundNothing(phase),
    window: { fromMs, toMs: fromMs + wallSeconds * 1000 },
  }
}

const sum = <Item>(items: readonly Item[], count: (item: Item) => number): number =>
  items.reduce((total, item) => total + count(item), 0)

/** A step counts together with the operation of its name, as the two halves of a read-modify-write do in YCSB. */
const p99OfKinds = (measured: readonly Calls[]): Figures['p99Ms'] =>
  Object.fromEntries(
    [...groupBy(measured, ({ name }) => ycsbKind(name))].flatMap(([kind, same]) => {
      const summary = computeSummary(successes(same))
      return summary === null ? [] : [[kind, summary.p99Ms]]
    }),
  )

/** "readModifyWrite" is READ-MODIFY-WRITE. */
const ycsbKind = (name: string): Kind => name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-').toUpperCase() as Kind

/** Reads without a document, and updates without a record that was changed: new values are random bytes. */
const foundNothing = ({ operations }: PhaseResult): number =>
  sum([...operations, ...operations.flatMap(({ steps }) => steps)], ({ kind, ok, documents, modified }) =>
    kind === 'findOne' ? ok - (documents ?? ok) : kind === 'updateOne' ? ok - modified : 0,
  )
