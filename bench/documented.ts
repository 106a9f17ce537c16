import { spawnSync } from 'node:child_process'
import { readdirSync, rmSync } from 'node:fs'
import { type Bench } from './benchmark.ts'

const folder = 'fixtures/results'

/** Runs that the documentation shows: the command that measures each, by its folder in `fixtures/results/`. */
const runs: Readonly<Record<string, string>> = {
  quickstart: `run quickstart --out ${folder}`,
  'quickstart-capacity': `run fixtures/examples/quickstart-capacity.json --compact --out ${folder}`,
  'durable-inserts': `ab fixtures/examples/durable-inserts.json --b journal=true --compact --out ${folder}/durable-inserts`,
  'index-of-orders': `run fixtures/examples/index-of-orders.json --repeat 6 --compact --out ${folder}`,
  failover: `run failover/failover --only 'fault=partition, cut' --out ${folder}`,
}

/**
 * Measures again what README and docs show, into `fixtures/results/`, and fills their blocks: for a machine that is quiet.
 * `-- documented/quickstart` is one of them. Takes about ten minutes.
 */
export const documented: Bench = async ({ part }) => {
  for (const [name, command] of Object.entries(runs).filter(([each]) => part === undefined || each === part)) {
    const place = `${folder}/${name}`
    rmSync(place, { recursive: true, force: true })
    run(`npx tsx src/cli/main.ts ${command}`)
    for (const file of readdirSync(place)) if (!isKept(file)) rmSync(`${place}/${file}`)
  }
  run('npm run shrink')
  run('npm run docs')
}

/** The charts that pages show. */
const shownCharts: ReadonlySet<string> = new Set([
  'response-time-by-percentile',
  'throughput-and-response-times-over-time',
  'query-status-1-at-1',
  'acknowledged-inserts-over-time-partition-cut',
])

/** Sides and results. Tables are made from them at any time, and so are the charts that no page shows. */
const isKept = (file: string): boolean =>
  !file.includes('.') || file === 'result.json' || shownCharts.has(file.replace(/(-dark)?\.png$/, ''))

/** B is worse than A: a finding, and no failure. */
const missedExitCode = 5

function run(command: string): void {
  const { status } = spawnSync(command, { shell: true, stdio: 'inherit' })
  if (status !== 0 && status !== missedExitCode) throw new Error(`${command} ended with ${status}`)
}
