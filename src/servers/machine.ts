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

/** Returns the folder in which binaries that we fetched are kept between runs. */
export function cacheFolder({ env, home }: Machine): string {
  return path.join(env['XDG_CACHE_HOME'] || path.join(home, '.cache'), 'mongo-perf')
}

/** Returns the folder in which the servers that we started are recorded until they are stopped. */
export function stateFolder({ env, home }: Machine): string {
  return path.join(env['XDG_STATE_HOME'] || path.join(home, '.local', 'state'), 'mongo-perf', 'servers')
}

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
    throw new Problem('usage', 'The working folder is gone', { hint: 'Go to a folder that exists: cd "$HOME"', cause })
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
