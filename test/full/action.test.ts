import { execFile } from 'node:child_process'
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { main, type Workplace, workplace } from '../contract/support/program.ts'
import { fewReads, ownTarget } from '../contract/support/specs.ts'

type Step = {
  readonly name?: string
  readonly run?: string
  readonly if?: string
  readonly env?: Readonly<Record<string, string>>
  readonly 'working-directory'?: string
}
type Action = {
  readonly inputs: Readonly<Record<string, { readonly default?: string }>>
  readonly runs: { readonly steps: readonly Step[] }
}

/** What GitHub shows of a job: the output of its steps, its summary and the outputs of the action. */
type Job = {
  readonly failed: readonly string[]
  readonly summary: string
  readonly outputs: string
  readonly log: string
}

/** Empty where there is no such file. */
const read = (file: string): Promise<string> => readFile(file, 'utf8').catch(() => '')

/** Runs the steps of the action as GitHub does: those that name another action are left out. */
async function runAction(place: Workplace, given: Readonly<Record<string, string>>): Promise<Job> {
  const { inputs, runs } = parse(await readFile('action.yml', 'utf8')) as Action
  const [temp, bin] = [path.join(place.folder, 'runner'), path.join(place.folder, 'bin')]
  for (const folder of [temp, bin]) await mkdir(folder, { recursive: true })
  await writeFile(path.join(bin, 'npx'), `#!/bin/sh\nshift\nexec '${process.execPath}' '${main}' "$@"\n`)
  await chmod(path.join(bin, 'npx'), 0o755)
  const fill = (text: string): string =>
    text.replaceAll(/\$\{\{ (inputs|runner)\.([\w-]+) \}\}/g, (_, of: string, name: string) =>
      of === 'runner' ? temp : (given[name] ?? inputs[name]?.default ?? ''),
    )
  const [summary, outputs] = [path.join(temp, 'summary'), path.join(temp, 'outputs')]
  const files = { RUNNER_TEMP: temp, GITHUB_STEP_SUMMARY: summary, GITHUB_OUTPUT: outputs }
  const failed: string[] = []
  let log = ''
  for (const { name = '', run, if: condition, env = {}, 'working-directory': folder = '.' } of runs.steps) {
    if (run === undefined || (failed.length > 0 && condition !== 'always()')) continue
    const filled = Object.fromEntries(Object.entries(env).map(([variable, value]) => [variable, fill(value)]))
    const all = { ...place.env, ...files, ...filled, PATH: `${bin}:${place.env['PATH']}` }
    await new Promise<void>((resolve) => {
      const cwd = path.join(place.folder, fill(folder))
      execFile('bash', ['-eo', 'pipefail', '-c', fill(run)], { cwd, env: all }, (error, stdout, stderr) => {
        log += stdout + stderr
        if (error) failed.push(name)
        resolve()
      })
    })
  }
  return { failed, summary: await read(summary), outputs: await read(outputs), log }
}

const reads = (limit: number, more: object = {}) =>
  fewReads({
    ...ownTarget,
    ...more,
    data: { collection: 'docs', rows: 1000, document: { _id: { '@row': {} } } },
    phases: [
      { name: 'read', stopAfter: { seconds: 1 }, operations: [{ kind: 'find', filter: { _id: { $gte: 0 } }, limit }] },
    ],
  })

describe('the action', () => {
  test('runs a spec, and shows its report although a threshold is missed', async () => {
    await using place = await workplace()
    await place.spec(reads(1, { thresholds: ['operations > 1000000000'] }))
    const job = await runAction(place, { spec: 'few-reads.json', args: '--repeat 1 --compact' })
    expect([job.failed, job.log.includes('::error')]).toEqual([['Measure'], true])
    expect(job.summary).toMatch(/^#+ .*[^]*operations > 1000000000/)
    const { report, results } = Object.fromEntries(
      job.outputs
        .trim()
        .split('\n')
        .map((line) => line.split('=')),
    )
    expect(await readFile(report, 'utf8')).toBe(job.summary)
    expect(JSON.parse(await readFile(path.join(results, 'few-reads/result.json'), 'utf8'))).toMatchObject({
      status: 'done',
    })
  })

  test('compares the spec of a pull request with that of its base', async () => {
    await using place = await workplace()
    await mkdir(path.join(place.folder, 'base'))
    await writeFile(path.join(place.folder, 'base/few-reads.json'), JSON.stringify(reads(1)))
    await place.spec(reads(500))
    const job = await runAction(place, { spec: 'few-reads.json', base: 'base/few-reads.json', args: '--budget 5s' })
    expect(job.failed).toEqual(['Measure'])
    expect(job.summary).toMatch(/500/)
  })
})
