import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { comesTrue, soonMs } from '../../bench/start/wait.ts'
import { type MicroResult, microResult } from '../../src/micro/results.ts'
import {
  readProcessIdentity,
  isAlive,
  type ProcessIdentity,
} from '../../src/servers/targets/server/guardian/process-identity.ts'
import { nothingIsLeft, type Workplace, workplace } from '../contract/support/program.ts'

const resultOf = async ({ folder }: Workplace): Promise<MicroResult> =>
  microResult.parse(JSON.parse(await readFile(path.join(folder, 'mongo-perf-results', 'micro', 'result.json'), 'utf8')))

test('tasks are measured on a server of our own, which is gone afterwards', async () => {
  await using place = await workplace()
  const tasks = ['deep-bson-encoding', 'find-many', 'small-doc-bulk-insert', 'gridfs-upload', 'gridfs-download']
  const { code, stdout, stderr } = await place.run(['micro', ...tasks, '--min-seconds', '0', '--iterations', '1'])
  expect(code).toBe(0)
  const result = await resultOf(place)
  expect(result).toMatchObject({ status: 'done', byTheRules: false, server: { startedByUs: true } })
  expect(result.tasks.map((task) => [task.name, task.status === 'measured' ? task.bytes : task])).toEqual([
    ['deep-bson-encoding', 1_964 * 10_000],
    ['find-many', 1_622 * 10_000],
    ['small-doc-bulk-insert', 275 * 10_000],
    ['gridfs-upload', 52_428_800],
    ['gridfs-download', 52_428_800],
  ])
  expect(stderr).toMatch(/\[2\/5] find-many: [\d.]+ MB\/s \(median [\d.]+ s of one iteration\)/)
  expect(stdout).toMatch(/GridFS upload +\| +52\.43 \| +1 \|/)
  expect(stdout).toMatch(/DriverBench +\| not computed +\|/)
  expect(await readdir(path.join(place.folder, 'mongo-perf-results', 'micro'))).toEqual([
    'megabytes-per-second-dark.png',
    'megabytes-per-second.png',
    'report.md',
    'result.json',
  ])
  expect(await nothingIsLeft(place)).toBe(true)
})

/** The process that a task runs in. Linux only. */
async function taskOf(program: number): Promise<ProcessIdentity | undefined> {
  const children = await readFile(`/proc/${program}/task/${program}/children`, 'utf8')
  for (const child of children.trim().split(' ')) {
    const command = await readFile(`/proc/${child}/cmdline`, 'utf8').catch(() => '')
    if (command.includes('task-process')) return readProcessIdentity(Number(child))
  }
  return undefined
}

/** Processor time that a process has used. Linux only. */
async function cpuSecondsOf({ pid }: ProcessIdentity): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11)
  return (Number(user) + Number(system)) / 100
}

const moments = [
  { when: 'when a task begins', task: 'deep-bson-encoding', isIt: async () => true },
  {
    when: 'in the middle of a task that waits for nothing',
    task: 'deep-bson-encoding',
    isIt: async (_: Workplace, running: ProcessIdentity) => (await cpuSecondsOf(running)) > 3,
  },
  {
    when: 'in a task with a server and many files',
    task: 'ldjson-multi-import',
    isIt: async ({ temp }: Workplace) =>
      // What a server has just removed may be missed while its folders are read.
      (await readdir(temp, { recursive: true }).catch(() => [])).some((name) =>
        /mongo-perf-micro-.*ldjson_multi$/.test(name),
      ),
  },
] as const

describe.runIf(process.platform === 'linux').each(['SIGINT', 'SIGKILL'] as const)('%s', (signal) => {
  test.each(moments)('$when leaves no process, no server and no files', async ({ task, isIt }) => {
    await using place = await workplace()
    const { child, ended } = place.start(['micro', task, '--min-seconds', '200'])
    const hasCome = async (): Promise<boolean> => {
      const running = await taskOf(child.pid ?? 0)
      return running !== undefined && (await isIt(place, running))
    }
    expect(await comesTrue(hasCome, 120_000)).toBe(true)
    const running = await taskOf(child.pid ?? 0)
    child.kill(signal)
    expect((await ended).code).toBe(signal === 'SIGINT' ? 130 : null)
    expect(await comesTrue(() => running !== undefined && !isAlive(running), soonMs)).toBe(true)
    expect(await comesTrue(() => nothingIsLeft(place), soonMs)).toBe(true)
    expect((await resultOf(place)).status).toBe(signal === 'SIGINT' ? 'aborted' : 'running')
  })
})
