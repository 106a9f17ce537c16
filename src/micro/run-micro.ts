import { rm } from 'node:fs/promises'
import * as os from 'node:os'
import type { Clock } from '../core/clock.ts'
import { driverVersion, toolVersion } from '../core/versions.ts'
import type { ResultFile } from '../results/files/result-file.ts'
import { describeEnvironment, readMachineParts } from '../results/machine-parts.ts'
import { forkHelper } from '../servers/child-process.ts'
import { stateFolder, thisMachine } from '../servers/machine.ts'
import { redactQuote } from '../servers/targets/connection/redact.ts'
import { makeTemporaryFolder } from '../servers/targets/server/process/server-folders.ts'
import type { StartContext } from '../servers/targets/target.ts'
import { microDatabase } from './collections.ts'
import { dataSeed } from './data/generated-data.ts'
import { requireGivenData } from './data/given-data.ts'
import { clientOptions } from './measure-on-server.ts'
import {
  type MicroResult,
  type MicroTaskResult,
  computeComposites,
  computePercentiles,
  microResultVersion,
} from './results.ts'
import { type Limits, type MicroTask, type TaskAnswer, type TaskRequest, followsTheRules } from './task.ts'
import { microTasks } from './tasks.ts'
import { type MicroServer, useServer } from './use-server.ts'

export type MicroOptions = {
  readonly tasks: readonly MicroTask[]
  readonly limits: Limits
  /** Folder with the specification's own files. Absent: data is generated. */
  readonly dataFolder: string | undefined
  /** Variable with the URI of an existing server. Absent: one is started. */
  readonly uriVariable: string | undefined
  readonly start: StartContext
  /** Environment of the processes that tasks run in. */
  readonly env: Readonly<Record<string, string | undefined>>
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly onProgress: (event: MicroEvent) => void
  /** Receives the result, from the first measured task on. */
  readonly output: ResultFile
  /** Strings that must not be in the result. */
  readonly secrets: readonly string[]
}

export type MicroEvent =
  | { readonly kind: 'server' }
  | { readonly kind: 'begins'; readonly task: MicroTask; readonly number: number; readonly of: number }
  | { readonly kind: 'ended'; readonly result: MicroTaskResult; readonly number: number; readonly of: number }

/** Runs tasks sequentially. After an abort, the result has the tasks that ended. A failed task does not stop the others. */
export async function runMicro(options: MicroOptions): Promise<MicroResult> {
  const { tasks, dataFolder, start, clock, signal, onProgress, output, secrets } = options
  if (dataFolder !== undefined) {
    await requireGivenData(
      dataFolder,
      tasks.flatMap(({ data }) => data),
    )
  }
  await output.prepare()
  let result = emptyResult(options)
  const save = async (change: Partial<MicroResult>): Promise<void> => {
    result = { ...result, ...change }
    await output.save(
      result,
      result.tasks.some(({ status }) => status === 'measured'),
    )
  }

  await using server = tasks.some(needsServer) ? await startServer(options) : undefined
  await using workFolder = await makeWorkFolder(start.tempFolder)
  await save({ server: server === undefined ? null : describeServer(server) })
  for (const [index, task] of tasks.entries()) {
    if (signal.aborted) break
    const place = { number: index + 1, of: tasks.length }
    onProgress({ kind: 'begins', task, ...place })
    const ended = await measure(task, server, workFolder.path, options)
    if (signal.aborted) break
    const redacted = 'error' in ended ? { ...ended, error: redactQuote(ended.error, secrets) } : ended
    const ends = [...result.tasks, redacted]
    await save({ tasks: ends, composites: compositesOfResults(ends) })
    onProgress({ kind: 'ended', result: redacted, ...place })
  }
  await save({ status: signal.aborted ? 'aborted' : 'done', finishedAt: clock.date().toISOString() })
  return result
}

const needsServer = ({ on }: MicroTask): boolean => on === 'server'

async function startServer({ uriVariable, start, env, onProgress }: MicroOptions): Promise<MicroServer> {
  onProgress({ kind: 'server' })
  return useServer(uriVariable, start, stateFolder(thisMachine(env)))
}

const describeServer = ({ version, startedByUs, cacheGB }: MicroServer): MicroResult['server'] => ({
  version,
  startedByUs,
  cacheGB,
})

async function measure(
  task: MicroTask,
  server: MicroServer | undefined,
  workFolder: string,
  { limits, dataFolder, env, signal }: MicroOptions,
): Promise<MicroTaskResult> {
  const { name, title, group } = task
  const obstacle = task.on === 'server' && server !== undefined ? tooOld(task, server) : undefined
  if (obstacle !== undefined) return { name, title, group, status: 'notRun', reason: obstacle }
  const place = task.on === 'server' && server !== undefined ? { uri: server.uri, database: microDatabase } : undefined
  const answer = await runTask({ task: name, limits, dataFolder, server: place }, workFolder, { env, signal })
  return scoreTask(task, answer)
}

function tooOld({ sinceServer }: Extract<MicroTask, { on: 'server' }>, { version }: MicroServer): string | undefined {
  if (sinceServer === undefined || Number.parseInt(version, 10) >= sinceServer) return undefined
  return `needs MongoDB ${sinceServer}.0, and the server is ${version}`
}

const compositesOfResults = (results: readonly MicroTaskResult[]): MicroResult['composites'] => {
  const scores = results.flatMap((task) =>
    task.status === 'measured' ? [[task.name, task.megabytesPerSecond] as const] : [],
  )
  return computeComposites(new Map(scores), microTasks) as MicroResult['composites']
}

function emptyResult({ dataFolder, limits, clock }: MicroOptions): MicroResult {
  return {
    format: 'mongo-perf-micro-result',
    version: microResultVersion,
    tool: { name: 'mongo-perf', version: toolVersion() },
    environment: describeEnvironment({
      host: os,
      parts: readMachineParts('/'),
      node: process.version,
      driver: { name: 'mongodb', version: driverVersion(), options: clientOptions },
    }),
    server: null,
    data: dataFolder === undefined ? { kind: 'generated', seed: dataSeed } : { kind: 'given' },
    limits,
    byTheRules: followsTheRules(limits),
    status: 'running',
    startedAt: clock.date().toISOString(),
    finishedAt: null,
    tasks: [],
    composites: compositesOfResults([]),
  }
}

/** Creates a folder for the files that tasks read and write, up to 1.5 GB. Disposing removes it. */
async function makeWorkFolder(tempFolder: string): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await makeTemporaryFolder(tempFolder, 'mongo-perf-micro-')
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true, maxRetries: 5 }) }
}

/** The reply of a task process, with its score. */
export function scoreTask(
  { name, title, group }: Pick<MicroTask, 'name' | 'title' | 'group'>,
  answer: TaskAnswer,
): MicroTaskResult {
  if (answer.kind === 'failed') return { name, title, group, status: 'failed', error: answer.reason }
  const { bytes, seconds, statistics } = answer
  const percentiles = computePercentiles(seconds)
  return {
    name,
    title,
    group,
    status: 'measured',
    bytes,
    seconds: [...seconds],
    percentiles,
    megabytesPerSecond: bytes / 1e6 / percentiles.p50,
    statistics,
  }
}

/**
 * Runs a task in its own process and resolves when the process has ended. An abort kills it.
 * @param workFolder Folder for the files of all tasks; the process removes it if its parent is gone.
 */
function runTask(
  request: TaskRequest,
  workFolder: string,
  options: { readonly env: Readonly<Record<string, string | undefined>>; readonly signal: AbortSignal },
): Promise<TaskAnswer> {
  const child = forkHelper('micro/task-process', [workFolder], options)
  return new Promise((resolve) => {
    let answer: TaskAnswer | undefined
    child.on('message', (message: TaskAnswer) => (answer = message))
    child.on('error', ({ message }) => {
      answer ??= { kind: 'failed', reason: message }
      // Without a process there is no exit event.
      if (child.pid === undefined) resolve(answer)
    })
    child.on('exit', (code, signal) => {
      resolve(answer ?? { kind: 'failed', reason: `the process of the task ended without a reply (${signal ?? code})` })
    })
    child.send(request, () => undefined)
  })
}
