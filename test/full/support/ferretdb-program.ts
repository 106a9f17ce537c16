import { execFile, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { cacheFolder, thisMachine } from '../../../src/servers/machine.ts'

const release = 'v1.24.2'
const source = 'github.com/FerretDB/FerretDB'
const escaped = source.replace(/[A-Z]/g, (letter) => `!${letter.toLowerCase()}`)
const variable = 'MONGO_PERF_FERRETDB'
const named = process.env[variable]

const machine = thisMachine(process.env)
const name = `ferretdb-${machine.arch}-${machine.platform}-${release.slice(1)}`
const built = path.join(cacheFolder(machine), machine.platform === 'win32' ? `${name}.exe` : name)

/** Milliseconds for one command. The longer of the two, which fetches 120 MB and compiles, took 50 s on two cores. */
const commandMs = 7 * 60_000
/** Milliseconds that both commands may take. */
export const buildMs = 2 * commandMs + 60_000

/** Why there is no FerretDB here and none can be built. Undefined: there is one, or a Go that builds it. */
export const noFerret = ((): string | undefined => {
  if (named) return existsSync(named) ? undefined : `${variable} names no file`
  return existsSync(built) || spawnSync('go', ['version']).status === 0 ? undefined : 'there is no Go to build it'
})()

/** A program, or why it could not be fetched: which is no failure of the tests. */
export type FerretProgram = { readonly path: string } | { readonly unreachable: string }

/**
 * Finds the program that the variable names, or an earlier build, or builds FerretDB with SQLite into the user's cache. What Go fetches and
 * compiles for that is removed again. Two runs at the same time may both build it; each finds a whole program.
 * @throws {Error} With the command and its output, where the build fails.
 */
export async function ferretProgram(): Promise<FerretProgram> {
  if (named) return { path: named }
  if (existsSync(built)) return { path: built }
  await mkdir(path.dirname(built), { recursive: true })
  // Beside its final place, so that the last step is a rename within one file system.
  const folder = await mkdtemp(path.join(path.dirname(built), 'fetch-'))
  try {
    return await buildIn(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function buildIn(folder: string): Promise<FerretProgram> {
  const modules = path.join(folder, 'modules')
  const checkout = path.join(modules, `${escaped}@${release}`)
  const output = path.join(folder, 'ferretdb')
  const env = {
    ...process.env,
    GOMODCACHE: modules,
    GOCACHE: path.join(folder, 'objects'),
    GOFLAGS: '-mod=mod -modcacherw',
    CGO_ENABLED: '0',
  }
  const fetched = await go(['mod', 'download', `${source}@${release}`], folder, env)
  if (fetched !== undefined) return fetched
  await writeFile(path.join(checkout, 'build', 'version', 'version.txt'), `${release}\n`)
  const options = ['-tags', 'ferretdb_no_postgresql', '-ldflags', '-s -w', '-o', output]
  const compiled = await go(['build', ...options, './cmd/ferretdb'], checkout, env)
  if (compiled !== undefined) return compiled
  await rename(output, built)
  return { path: built }
}

/** Errors of Go where no connection to the module proxy came about, where it refuses, or where none may be tried. */
const offline = /dial tcp|GOPROXY=off|(?:i\/o|handshake) timeout|: [45]\d\d [A-Z]/

/** @returns nothing where the command succeeds. */
function go(args: readonly string[], cwd: string, env: NodeJS.ProcessEnv) {
  return new Promise<{ readonly unreachable: string } | undefined>((resolve, reject) => {
    execFile('go', args, { cwd, env, timeout: commandMs, maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
      if (error === null) resolve(undefined)
      else if (offline.test(stderr)) resolve({ unreachable: 'the module proxy of Go cannot be reached, or refuses' })
      else
        reject(new Error(`go ${args.join(' ')} failed in ${cwd}:\n${stdout}${stderr}`.slice(-8_000), { cause: error }))
    })
  })
}
