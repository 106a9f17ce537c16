import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** A folder for the files that tasks read and write, up to 1.5 GB. Disposing removes it. */
export async function makeWorkFolder(tempFolder: string): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tempFolder, 'mongo-perf-micro-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true, maxRetries: 5 }) }
}
