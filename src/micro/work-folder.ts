import { rm } from 'node:fs/promises'
import { makeTemporaryFolder } from '../servers/targets/server/temporary-folder.ts'

/** Creates a folder for the files that tasks read and write, up to 1.5 GB. Disposing removes it. */
export async function makeWorkFolder(tempFolder: string): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await makeTemporaryFolder(tempFolder, 'mongo-perf-micro-')
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true, maxRetries: 5 }) }
}
