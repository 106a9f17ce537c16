import { Command, InvalidArgumentError } from 'commander'
import { type CliContext } from '../cli-context.ts'
import { wholeNumber } from '../options/arguments.ts'
import { collect } from '../options/spec-options.ts'

/** The command `import`: each kind of workload is a command below it. */
export function importCommand(cli: CliContext): Command {
  return new Command('import')
    .description('Write specs from workloads of other tools')
    .addCommand(importYcsbCommand(cli))
    .addCommand(importMongoPerfCommand(cli))
    .addCommand(importWorkloadCommand('genny', "genny's workloads", 'its YAML file', cli))
    .addCommand(importWorkloadCommand('simrunner', "SimRunner's configurations", 'its JSON file', cli))
    .addCommand(importWorkloadCommand('nosqlbench', "NoSQLBench's workloads for MongoDB", 'its YAML file', cli))
}

/** Tools whose workloads are files of data. */
export type WorkloadTool = 'genny' | 'simrunner' | 'nosqlbench'

/** The options of the command, as parsed. */
export type ImportWorkloadFlags = { readonly out?: string; readonly force?: boolean }

/** The command `import genny`, and those of other tools with one file. */
const importWorkloadCommand = (tool: WorkloadTool, what: string, file: string, cli: CliContext): Command =>
  new Command(tool)
    .description(`Make a spec of one of ${what}, and print or write it`)
    .argument('<file>', file)
    .option('--out <file>', 'write the spec to this file instead of printing it')
    .option('--force', 'overwrite a file that exists')
    .action(async (given: string, flags: ImportWorkloadFlags) => {
      const { importWorkload } = await import('../actions/import-workload.ts')
      await importWorkload(tool, given, flags, cli)
    })

/** The options of the command, as parsed. */
export type ImportYcsbFlags = {
  readonly property?: readonly string[]
  readonly properties?: readonly string[]
  readonly ignore?: readonly string[]
  readonly throttled?: boolean
  readonly existing?: boolean
  readonly out?: string
  readonly force?: boolean
}

/** The command `import ycsb`. */
function importYcsbCommand(cli: CliContext): Command {
  return new Command('ycsb')
    .description('Make a spec of a workload of YCSB, and print or write it')
    .argument('<workload>', 'path of its property file, or "workloada" to "workloadf"')
    .option('-p, --property <name=value>', 'set a property (repeatable)', collect)
    .option('-P, --properties <file>', 'read a further property file, which replaces properties (repeatable)', collect)
    .option('--ignore <name>', 'leave a property out, as one that only another program has (repeatable)', collect)
    .option('--throttled', 'hold the threads back to "target", as YCSB does, instead of an open loop at that rate')
    .option('--existing', 'use the collection that YCSB has loaded, of the database in mongodb.url (default: ycsb)')
    .option('--out <file>', 'write the spec to this file instead of printing it')
    .option('--force', 'overwrite a file that exists')
    .action(async (workload: string, flags: ImportYcsbFlags) => {
      const { importYcsb } = await import('../actions/import-ycsb.ts')
      await importYcsb(workload, flags, cli)
    })
}

/** The options of the command, as parsed. */
export type ImportMongoPerfFlags = {
  readonly allowCode?: boolean
  readonly tests?: readonly string[]
  readonly workers: readonly number[]
  readonly out: string
  readonly force?: boolean
  readonly timeout: number
  readonly memory: number
  readonly run?: boolean
}

/** Maximum number of threads of benchRun. */
const maxWorkers = 128

const workerCount = wholeNumber(maxWorkers)

function workerCounts(text: string): readonly number[] {
  const counts = text.split(',').map(workerCount)
  if (new Set(counts).size < counts.length) throw new InvalidArgumentError('It has a number twice.')
  return counts
}

/** The command `import mongo-perf`. */
function importMongoPerfCommand(cli: CliContext): Command {
  return new Command('mongo-perf')
    .description('Write specs from test cases of the official mongodb/mongo-perf. This runs their code')
    .argument('<checkout>', 'a clone of mongodb/mongo-perf, a folder of test cases, or one file')
    .argument('[runOptions...]', 'with --run, after "--": options of `mongo-perf run`')
    .option('--allow-code', 'agree that the JavaScript of the test cases is run on this machine')
    .option('--tests <names...>', 'only these tests; `*` stands for anything, as in "Insert.*"')
    .option('--workers <list>', 'numbers of workers to measure with, such as 1,4,16', workerCounts, [1])
    .option('--out <folder>', 'where specs and their data go', 'mongo-perf-tests')
    .option('--force', 'write into a folder that is not empty')
    .option('--timeout <seconds>', 'time for a file, and for each `pre` and `post`', wholeNumber(3600), 120)
    .option('--memory <MB>', 'memory for the process that runs a file', wholeNumber(), 1024)
    .option('--run', 'measure the tests that came through')
    .action(async (checkout: string, runOptions: readonly string[], flags: ImportMongoPerfFlags) => {
      const { importMongoPerf } = await import('../actions/import-mongo-perf.ts')
      await importMongoPerf(checkout, runOptions, flags, cli)
    })
}
