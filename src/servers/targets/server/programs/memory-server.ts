import { existsSync } from 'node:fs'
import path from 'node:path'
import { forkHelper } from '../../../child-process.ts'
import { type Machine } from '../../../machine.ts'
import { type FindContext, listBinaries, type Lookup, type Source } from './find-program.ts'

export type DownloadMessage =
  | { readonly kind: 'answered' }
  | { readonly kind: 'received'; readonly bytes: number; readonly of: number }
  | { readonly kind: 'found'; readonly path: string }
  | { readonly kind: 'failed'; readonly reason: string }

const firstByteMs = 10_000
const wholeDownloadMs = 15 * 60_000

/** Fetches a release as mongodb-memory-server does, in a process of its own: it prints, and it cannot be stopped otherwise. */
export const downloadByMemoryServer: Source = {
  name: 'download by mongodb-memory-server',
  offer: ({ env }) => (isSwitchedOff(env) ? switchedOff : { fetches: 'any release by its number' }),
  look: async ({ version: release }, context) => {
    const { machine, log } = context
    if (isSwitchedOff(machine.env)) return switchedOff
    if (release !== undefined && !/^\d+\.\d+\.\d+/.test(release))
      return {
        nothing: `it needs a release, such as ${release}.4; the newest of a series takes @mongodb-js/mongodb-downloader`,
      }
    log(`Asking the MongoDB download host for mongod ${release ?? '(its default release)'}`)
    return runDownload(`mongod ${release ?? ''}`.trim(), [], downloadEnv(machine.env, release), context)
  },
}

/** The answer of a source that may not download. */
export const switchedOff = { nothing: 'switched off by MONGOMS_RUNTIME_DOWNLOAD' }

/** Whether nothing is to be downloaded from MongoDB. */
export const isSwitchedOff = (env: Machine['env']): boolean =>
  /^(false|0|no)$/i.test(env['MONGOMS_RUNTIME_DOWNLOAD'] ?? '')

function downloadEnv(env: Machine['env'], release: string | undefined): Machine['env'] {
  return {
    // It checks certificates only where npm is configured so, and takes the checksum from the same host.
    npm_config_strict_ssl: 'true',
    ...env,
    MONGOMS_SYSTEM_BINARY: undefined,
    MONGOMS_MAX_RETRIES: '1',
    ...(release !== undefined && { MONGOMS_VERSION: release }),
  }
}

/**
 * Downloads in a process of its own: the packages that do it print, and cannot be stopped otherwise.
 * @param args None for mongodb-memory-server; or another package, a folder and a release, of which the folder of the programs is found.
 */
export function runDownload(
  what: string,
  args: readonly string[],
  env: Machine['env'],
  { signal, onFetch }: FindContext,
): Promise<Lookup> {
  const child = forkHelper('servers/targets/server/programs/download-process', args, { env, signal })
  return new Promise((resolve) => {
    const end = (lookup: Lookup): void => {
      clearTimeout(noAnswer)
      clearTimeout(noEnd)
      child.kill('SIGKILL')
      resolve(lookup)
    }
    const noAnswer = setTimeout(end, firstByteMs, { nothing: `no answer within ${firstByteMs / 1000} s` })
    const noEnd = setTimeout(end, wholeDownloadMs, { nothing: `not complete after ${wholeDownloadMs / 60_000} min` })
    child.on('message', (message: DownloadMessage) => {
      if (message.kind === 'answered') clearTimeout(noAnswer)
      else if (message.kind === 'received')
        onFetch?.({ what, megabytes: message.of / 1e6, share: message.bytes / message.of })
      else if (message.kind === 'found') end({ paths: [message.path] })
      else end({ nothing: message.reason })
    })
    child.on('error', (error) => end({ nothing: error.message }))
    child.on('exit', (code) => end({ nothing: `the download ended without output (exit code ${code})` }))
  })
}

/**
 * Finds binaries that mongodb-memory-server fetched earlier, for this project or another. We list its folders ourselves: its own look-up knows
 * one exact version only, and deletes files that it takes for broken.
 */
export const memoryServerCache: Source = {
  name: 'cache of mongodb-memory-server',
  look: async (_wanted, { machine: { env, home, workingFolder } }) => {
    const folders = [
      env['MONGOMS_DOWNLOAD_DIR'],
      path.join(home, '.cache', 'mongodb-binaries'),
      path.join(workingFolder, 'node_modules', '.cache', 'mongodb-memory-server'),
    ].filter((folder) => folder !== undefined)
    const binaries = (await Promise.all(folders.map((folder) => listBinaries(folder, 'mongod')))).flat()
    // The checksum beside a binary is written last: without it the file may be half of one.
    const paths = binaries.filter((binary) => existsSync(`${binary}.md5`))
    return paths.length > 0 ? { paths } : { nothing: 'empty' }
  },
}
