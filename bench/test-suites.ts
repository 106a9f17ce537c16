import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { type Bench, median } from './benchmark.ts'
import { installExampleApp, type Shop, type Suite } from './start/example-app.ts'
import { startTestMongod } from './start/mongod.ts'

const all: readonly Suite[] = ['vitest', 'node', 'jest']

/** Fewer for the broken app: a suite that misses its regression is found sooner than one that now and then finds what is not there. */
const runsByShop: Readonly<Record<Shop, number>> = { fixed: 50, broken: 10 }
const quickRuns = 2

type Run = { readonly suite: Suite; readonly shop: Shop; readonly passed: boolean; readonly seconds: number }

/**
 * How often the suites of the example app are right: those of the fixed app are to pass, and those of the broken one, which has a regression for each, are to
 * fail. One after the other on one server, on two cores with nothing else to do. Installs the app from the registry of npm. `test-suites/jest` runs only
 * that suite.
 */
export const testSuites: Bench = async ({ mongod, print, part, quick }) => {
  await promisify(execFile)('npm', ['run', 'build'])
  await using app = await installExampleApp()
  await using server = await startTestMongod(await mongod())
  const suites = all.filter((suite) => part === undefined || suite === part)
  const runs: Run[] = []
  for (const shop of ['fixed', 'broken'] as const)
    for (let number = 1; number <= (quick ? quickRuns : runsByShop[shop]); number++)
      for (const suite of suites) {
        const startMs = performance.now()
        const { passed, printed } = await app.run(suite, shop, { MONGO_PERF_TEST_URI: server.uri })
        runs.push({ suite, shop, passed, seconds: (performance.now() - startMs) / 1000 })
        print(`${suite}, ${shop}, run ${number}: ${passed ? 'passed' : 'failed'}`)
        if (passed !== (shop === 'fixed')) print(printed)
      }
  print('\n| Suite | App | Runs | Failed | Seconds a run |\n|---|---|--:|--:|--:|')
  for (const shop of ['fixed', 'broken'] as const)
    for (const suite of suites) print(formatLine(runs.filter((run) => run.shop === shop && run.suite === suite)))
}

function formatLine(runs: readonly Run[]): string {
  const [{ suite, shop } = {}] = runs
  const failed = runs.filter(({ passed }) => !passed).length
  const seconds = median(runs.map((run) => run.seconds)).toFixed(1)
  return `| ${[suite, shop, runs.length, failed, seconds].join(' | ')} |`
}
