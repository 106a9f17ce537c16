import { execFile } from 'node:child_process'
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, inject, test } from 'vitest'
import { parse } from 'yaml'
import { type InstalledApp, installExampleApp } from '../../../bench/start/example-app.ts'

type Step = {
  readonly name?: string
  readonly run?: string
  readonly if?: string
  readonly 'working-directory'?: string
}
type Workflow = { readonly jobs: { readonly compare: { readonly steps: readonly Step[] } } }

/** As few as have a verdict. What is compared is five times as slow. */
const roundsForVerdict = 6
/** Where the comment is the same with every verdict. */
const fewRounds = 2

/** Steps that need a network. */
const notHere: ReadonlySet<string | undefined> = new Set(['Install', 'Comment'])

let app: InstalledApp

beforeAll(async () => {
  // Without the test runners, which take most of the time.
  app = await installExampleApp(['--omit=dev'])
  return () => app[Symbol.asyncDispose]()
})

/** Checks the app out on both sides of a pull request, as the first steps of the workflow do. */
async function openPullRequest(name: string): Promise<string> {
  const folder = path.join(app.folder, name)
  for (const side of ['base', 'branch']) {
    await mkdir(path.join(folder, side), { recursive: true })
    for (const part of ['src', 'perf', '.github', 'package.json'])
      await cp(path.join(app.folder, part), path.join(folder, side, part), { recursive: true })
    await symlink(path.join(app.folder, 'node_modules'), path.join(folder, side, 'node_modules'))
  }
  return folder
}

/** Runs the steps of the workflow that are commands, as a runner does: after one that fails only those for `always()`. */
async function runWorkflow(folder: string, rounds: number) {
  const file = path.join(folder, 'branch/.github/workflows/performance.yml')
  const { jobs } = parse(await readFile(file, 'utf8')) as Workflow
  const summary = path.join(folder, 'summary.md')
  const env = {
    ...process.env,
    GITHUB_STEP_SUMMARY: summary,
    XDG_STATE_HOME: path.join(folder, 'state'),
    MONGOMS_SYSTEM_BINARY: inject('mongodPath'),
  }
  const failed: { readonly name: string | undefined; readonly code: unknown }[] = []
  for (const { name, run, if: condition, 'working-directory': place = '.' } of jobs.compare.steps) {
    if (run === undefined || notHere.has(name) || (failed.length > 0 && condition !== 'always()')) continue
    const command = run.replace('mongo-perf ab', `mongo-perf ab --rounds ${rounds}`)
    await promisify(execFile)('bash', ['-eo', 'pipefail', '-c', command], { cwd: path.join(folder, place), env }).catch(
      ({ code }: { readonly code: unknown }) => failed.push({ name, code }),
    )
  }
  return { failed, summary: await readFile(summary, 'utf8') }
}

test('a pull request that makes a page slower fails, and its comment shows by how much', async () => {
  const folder = await openPullRequest('slower')
  const changed = path.join(folder, 'branch/perf/functions.js')
  await writeFile(
    changed,
    `import { OrderSummary } from '../src/shop.js'

export async function ordersOfCustomer({ db }, { customer }) {
  const orders = new OrderSummary(db)
  for (let again = 0; again < 5; again++) await orders.ofCustomer(customer)
}
`,
  )
  const { failed, summary } = await runWorkflow(folder, roundsForVerdict)
  expect(failed).toEqual([{ name: 'Compare', code: 5 }])
  expect(summary).toMatch(/^### Performance: B against A\n\n\*\*B is worse: pages /)
  expect(summary).toMatch(/\| ▼ worse +\| pages: Throughput \(ops\/s\) +\|/)
})

test('a pull request that changes nothing has a comment, too', async () => {
  const { failed, summary } = await runWorkflow(await openPullRequest('unchanged'), fewRounds)
  expect(failed).toEqual([])
  expect(summary).toContain('functions:../base/perf/functions.js. B: ')
})
