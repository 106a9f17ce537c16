import { Command, InvalidArgumentError } from 'commander'
import { type CliContext } from '../../cli-context.ts'
import { wholeNumber } from '../../options/whole-number.ts'

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

/** As many threads as benchRun takes. */
const maxWorkers = 128

const workerCount = wholeNumber(maxWorkers)

function workerCounts(text: string): readonly number[] {
  const counts = text.split(',').map(workerCount)
  if (new Set(counts).size < counts.length) throw new InvalidArgumentError('It has a number twice.')
  return counts
}

/** The command `import mongo-perf`. */
export function importMongoPerfCommand(cli: CliContext): Command {
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
      const { importMongoPerf } = await import('../../specs/import-mongo-perf.ts')
      await importMongoPerf(checkout, runOptions, flags, cli)
    })
}
