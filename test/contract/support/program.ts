import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { inject } from 'vitest'
import {
  type Ended,
  type Environment,
  main,
  type Running,
  type RunningProgram,
  startProgram,
  waitFor,
} from '../../../bench/start/program.ts'
import { plainScreen } from '../../../src/cli/cli-context.ts'
import { type CliIo, runCli } from '../../../src/cli/run-cli.ts'
import { createStatusWriter } from '../../../src/cli/terminal/status-writer.ts'
import { type Result } from '../../../src/results/schema.ts'
import { listServers, type ServerRecord } from '../../../src/servers/targets/server/guardian/state.ts'

export { main, type Ended, type Running, type RunningProgram } from '../../../bench/start/program.ts'

/** A folder of its own for everything that the program writes: results, state, temporary files. */
export type Workplace = AsyncDisposable & {
  readonly folder: string
  readonly temp: string
  readonly env: Environment
  /** Starts it in a process of its own, for what is about processes. */
  readonly start: (args: readonly string[], env?: Environment, nodeArgs?: readonly string[]) => RunningProgram
  /** Runs it in this process, one run after the other. `stop` does what Ctrl-C does. */
  readonly begin: (args: readonly string[], env?: Environment) => Running & { readonly stop: () => void }
  /** The same to its end. */
  readonly run: (args: readonly string[], env?: Environment) => Promise<Ended>
  /** Writes a spec (JSON) and hands back its path. */
  readonly spec: (spec: { readonly name: string; readonly [key: string]: unknown }) => Promise<string>
  readonly result: (name: string) => Promise<Result>
  readonly servers: () => readonly ServerRecord[]
}

/** @param server What `MONGO_PERF_URI` leads to. */
export async function workplace(server?: { readonly uri: string }): Promise<Workplace> {
  const folder = await mkdtemp(path.join(tmpdir(), 'mongo-perf-test-'))
  const temp = path.join(folder, 'tmp')
  await mkdir(temp)
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    TMPDIR: temp,
    XDG_STATE_HOME: path.join(folder, 'state'),
    MONGOMS_SYSTEM_BINARY: inject('mongodPath'),
    ...(server && { MONGO_PERF_URI: server.uri }),
  }
  const started: RunningProgram[] = []
  const begun: ReturnType<Workplace['begin']>[] = []
  const begin: Workplace['begin'] = (args, more) => {
    const run = runHere(args, folder, { ...env, ...more })
    begun.push(run)
    return run
  }
  const start: Workplace['start'] = (args, more = {}, nodeArgs = []) => {
    const program = startProgram([...nodeArgs, main, ...args], folder, { ...env, ...more })
    started.push(program)
    return program
  }
  return {
    folder,
    temp,
    env,
    start,
    begin,
    run: (args, more) => begin(args, more).ended,
    async spec(spec) {
      const file = path.join(folder, `${spec.name}.json`)
      await writeFile(file, JSON.stringify(spec, null, 2))
      return file
    },
    result: async (name) =>
      JSON.parse(await readFile(path.join(folder, 'mongo-perf-results', name, 'result.json'), 'utf8')) as Result,
    servers: () => listServers(path.join(folder, 'state', 'mongo-perf', 'servers')),
    async [Symbol.asyncDispose]() {
      // Of a test that failed, one may still run.
      for (const { child } of started) child.kill('SIGKILL')
      for (const { stop } of begun) stop()
      await Promise.allSettled([...started, ...begun].map(({ ended }) => ended))
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

let last: Promise<unknown> = Promise.resolve()

/** Folder and environment belong to the whole process, so that a run waits for the one before. */
function runHere(args: readonly string[], folder: string, env: Environment): ReturnType<Workplace['begin']> {
  const stop = new AbortController()
  const texts = { stdout: '', stderr: '' }
  const listeners: (() => void)[] = []
  const io: CliIo = {
    env,
    stop: stop.signal,
    screen: plainScreen,
    write: (text) => void (texts.stdout += text),
    status: createStatusWriter({
      write(text) {
        texts.stderr += text
        for (const look of listeners) look()
      },
      isTerminal: false,
      columns: () => 80,
      rows: () => 24,
    }),
  }
  const ended = last.then(async () => ({ code: await inPlace(folder, env, () => runCli(args, io)), ...texts }))
  last = ended.catch(() => undefined)
  const says = waitFor(
    () => texts.stderr,
    ended,
    (look) => void listeners.push(look),
  )
  return { ended, says, stop: () => stop.abort() }
}

async function inPlace(folder: string, env: Environment, run: () => Promise<number>): Promise<number> {
  const before = { folder: process.cwd(), env: { ...process.env } }
  process.chdir(folder)
  replaceEnvironment(env)
  try {
    return await run()
  } finally {
    replaceEnvironment(before.env)
    process.chdir(before.folder)
  }
}

/** In place, for that of the C library goes with it: Node reads the folders of home and of temporary files there. */
function replaceEnvironment(env: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name]
  Object.assign(process.env, env)
}

/** Whether the programs of a workplace have left neither a server nor a temporary file. */
export const nothingIsLeft = async (place: Workplace): Promise<boolean> =>
  place.servers().length === 0 && (await readdir(place.temp)).length === 0

/** Names of the files in a folder and below it. */
export async function filesBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name))
}
