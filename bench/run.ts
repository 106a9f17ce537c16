import { parseArgs } from 'node:util'
import { Problem } from '../src/core/errors.ts'
import { thisMachine } from '../src/servers/machine.ts'
import { findMongod, findRedis } from '../src/servers/targets/server/programs/programs.ts'
import { abBench } from './ab/ab.ts'
import { agentFailures } from './agent-failures.ts'
import { agentsFindOne } from './agents-findone.ts'
import { agentsSimulation } from './agents-simulation.ts'
import { type Bench, type BenchContext, unknownName } from './benchmark.ts'
import { calibration } from './calibration.ts'
import { comparisonsBench } from './comparisons.ts'
import { documented } from './documented.ts'
import { documents } from './documents.ts'
import { engines } from './engines/engines.ts'
import { findOne } from './find-one.ts'
import { generatorsBench } from './generators.ts'
import { harness } from './harness.ts'
import { imports } from './imports.ts'
import { indexEntries } from './index-entries.ts'
import { ledger } from './ledger.ts'
import { links } from './links.ts'
import { loadDump } from './load-dump.ts'
import { loaders } from './loaders/loaders.ts'
import { machineSpeed } from './machine-speed.ts'
import { memory } from './memory.ts'
import { openLoop } from './open-loop.ts'
import { preload } from './preload.ts'
import { recorder } from './recorder.ts'
import { serverSamples } from './server-samples.ts'
import { shortRun } from './short-run.ts'
import { sinks } from './sinks.ts'
import { startup } from './startup.ts'
import { testSuites } from './test-suites.ts'
import { threads } from './threads.ts'
import { traffic } from './traffic/traffic.ts'
import { transactions } from './transactions.ts'
import { watchQueriesBench } from './watch-queries.ts'

/** A new benchmark is one file and one word here. */
const benches: Readonly<Record<string, Bench>> = {
  'find-one': findOne,
  engines,
  harness,
  documents,
  generators: generatorsBench,
  preload,
  'load-dump': loadDump,
  loaders,
  recorder,
  ledger,
  'index-entries': indexEntries,
  'machine-speed': machineSpeed,
  memory,
  startup,
  'short-run': shortRun,
  sinks,
  imports,
  threads,
  'open-loop': openLoop,
  links,
  transactions,
  traffic,
  comparisons: comparisonsBench,
  ab: abBench,
  'test-suites': testSuites,
  'watch-queries': watchQueriesBench,
  'agent-failures': agentFailures,
  'agents-simulation': agentsSimulation,
  'agents-findone': agentsFindOne,
  calibration,
  documented,
  'server-samples': serverSamples,
}

/** They take ten minutes and more, or write fixtures. */
const onlyByName: ReadonlySet<string> = new Set([
  'ab',
  'agent-failures',
  'test-suites',
  'calibration',
  'documented',
  'server-samples',
])

const print = (line: string): void => void process.stdout.write(`${line}\n`)

const findContext = { machine: thisMachine(process.env), signal: new AbortController().signal, log: print }

const context: Omit<BenchContext, 'part' | 'out' | 'quick'> = {
  print,
  async mongod() {
    const binary = process.env['MONGO_PERF_MONGOD']
    return (await findMongod({ binary, version: undefined }, findContext)).path
  },
  redis: async () => (await findRedis(findContext)).path,
}

/**
 * `npm run bench`: all but those that take ten minutes and more; `npm run bench -- recorder`: those named; `npm run bench -- engines/find-one`: a part of one that
 * has parts. `--out` is a folder for charts and results, and `--quick` makes these short. The variable MONGO_PERF_MONGOD names a mongod.
 */
const { values, positionals } = parseArgs({
  options: { out: { type: 'string' }, quick: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const chosen = positionals.length > 0 ? positionals : Object.keys(benches).filter((name) => !onlyByName.has(name))
try {
  for (const asked of chosen) {
    const [name = '', part] = asked.split('/')
    const bench = benches[name]
    if (!bench) throw unknownName('benchmark', name, Object.keys(benches))
    print(`\n${asked}`)
    await bench({ ...context, part, out: values.out, quick: values.quick })
  }
} catch (error) {
  if (!(error instanceof Problem)) throw error
  process.stderr.write(`${error.message}. ${error.hint}\n`)
  process.exitCode = 2
}
