import { type ChildProcess, spawn } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { inject } from 'vitest'
import { type Result } from '../../../src/results/schema.ts'
import { listServers, type ServerRecord } from '../../../src/targets/server/state.ts'

/** The built program, as people start it. */
export const main = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url))

export type Ended = { readonly code: number | null; readonly stdout: string; readonly stderr: string }

export type RunningProgram = {
  readonly child: ChildProcess
  readonly ended: Promise<Ended>
  /** Resolves when stderr has the words; rejects when the program ends without. */
  readonly says: (words: string) => Promise<void>
}

type Environment = Readonly<Record<string, string>>

/** A folder of its own for everything that the program writes: results, state, temporary files. */
export type Workplace = AsyncDisposable & {
  readonly folder: string
  readonly temp: string
  readonly env: Environment
  readonly start: (args: readonly string[], env?: Environment, nodeArgs?: readonly string[]) => RunningProgram
  /** Starts it and waits for its end. */
  readonly run: (args: readonly string[], env?: Environment) => Promise<Ended>
  /** Writes a spec (JSON) and hands back its path. */
  readonly spec: (spec: { readonly name: string; readonly [key: string]: unknown }) => Promise<string>
  readonly result: (name: string) => Promise<Result>
  readonly servers: () => readonly ServerRecord[]
}

export async function workplace(): Promise<Workplace> {
  const folder = await mkdtemp(path.join(tmpdir(), 'mongo-perf-test-'))
  const temp = path.join(folder, 'tmp')
  await mkdir(temp)
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    TMPDIR: temp,
    XDG_STATE_HOME: path.join(folder, 'state'),
    MONGOMS_SYSTEM_BINARY: inject('mongodPath'),
  }
  const started: RunningProgram[] = []
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
    run: (args, more) => start(args, more).ended,
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
      await Promise.all(started.map(({ ended }) => ended))
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

function startProgram(args: readonly string[], cwd: string, env: Environment): RunningProgram {
  const child = spawn(process.execPath, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const texts = { stdout: '', stderr: '' }
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, ...texts }))
  })
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (text: string) => void (texts[stream] += text))
  }
  const says = (words: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (texts.stderr.includes(words)) resolve()
      }
      look()
      child.stderr.on('data', look)
      void ended.then(({ code }) => reject(new Error(`Ended with ${code} before "${words}":\n${texts.stderr}`)))
    })
  return { child, ended, says }
}

/** Names of the files in a folder and below it. */
export async function filesBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name))
}
