import { existsSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import path from 'node:path'
import { Problem } from '../core/errors.ts'

/** Facts about the machine that we run on. Handed in, so that a test can give us another one. */
export type Machine = {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly home: string
  readonly tempFolder: string
  readonly workingFolder: string
  readonly platform: NodeJS.Platform
  /** Architecture as Node names it: "x64", "arm64". */
  readonly arch: string
}

/** Returns the machine that this process runs on, with the given environment variables. */
export function thisMachine(env: Machine['env']): Machine {
  return {
    env,
    home: homedir(),
    tempFolder: tmpdir(),
    workingFolder: workingFolder(),
    platform: process.platform,
    arch: process.arch,
  }
}

type Facts = Pick<Machine, 'env' | 'home' | 'platform'>
type Exists = (folder: string) => boolean

/** Returns the folder in which binaries that we fetched are kept between runs. */
export const cacheFolder = (machine: Facts, exists: Exists = existsSync): string => findFolder('cache', machine, exists)

/** Returns the folder in which the servers that we started are recorded until they are stopped. */
export const stateFolder = (machine: Facts, exists: Exists = existsSync): string =>
  getPaths(machine).join(findFolder('state', machine, exists), 'servers')

/** The folders in which systems keep such files, as the package `env-paths` has them. */
const folders = {
  cache: { variable: 'XDG_CACHE_HOME', unix: '.cache', darwin: 'Library/Caches', win32: 'Cache' },
  state: { variable: 'XDG_STATE_HOME', unix: '.local/state', darwin: 'Library/Application Support', win32: 'Data' },
} as const

/** A folder of the system. That of Unix, which first versions used everywhere, goes before it where it is there or its variable is set. */
function findFolder(kind: keyof typeof folders, machine: Facts, exists: Exists): string {
  const { variable, unix, darwin, win32 } = folders[kind]
  const { env, home, platform } = machine
  const { join } = getPaths(machine)
  const first = join(env[variable] || join(home, unix), 'mongo-perf')
  if (env[variable] || exists(first)) return first
  if (platform === 'darwin') return join(home, darwin, 'mongo-perf')
  if (platform === 'win32') return join(env['LOCALAPPDATA'] || join(home, 'AppData', 'Local'), 'mongo-perf', win32)
  return first
}

const getPaths = ({ platform }: Pick<Machine, 'platform'>): path.PlatformPath =>
  platform === 'win32' ? path.win32 : path.posix

/** The environment variable that names the folder for temporary files. */
export const tempVariable = (platform = process.platform): string => (platform === 'win32' ? 'TEMP' : 'TMPDIR')

/** The environment of a process that we start: without URIs, whose secrets it would keep for others to read. What needs one is sent it. */
export const envOfChildren = (env: Machine['env'] = process.env): Machine['env'] =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !/^MONGO_PERF_(?:TEST_)?(?:URI|QUEUE)/.test(name)))

/**
 * The working folder of this process.
 * @throws {Problem} "usage" when it was deleted since.
 */
export function workingFolder(): string {
  try {
    return process.cwd()
  } catch (cause) {
    throw new Problem('usage', 'The working folder is gone', { hint: 'Go to a folder that exists: cd ~', cause })
  }
}

/** The numbers in a list as the kernel writes it: "0-2,7". */
export const parseCoreList = (text: string): readonly number[] =>
  text
    .trim()
    .split(',')
    .filter((part) => part !== '')
    .flatMap((part) => {
      const [first = NaN, last = first] = part.split('-').map(Number)
      return Array.from({ length: last - first + 1 }, (_, index) => first + index)
    })

/** Numbers as the kernel and `taskset` write them: "0-2,7". */
export function coreListText(cores: readonly number[]): string {
  const runs: { readonly first: number; last: number }[] = []
  for (const core of cores.toSorted((a, b) => a - b)) {
    const run = runs.at(-1)
    if (run?.last === core - 1) run.last = core
    else runs.push({ first: core, last: core })
  }
  return runs.map(({ first, last }) => (first === last ? String(first) : `${first}-${last}`)).join(',')
}
