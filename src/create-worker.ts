import { pathToFileURL } from 'node:url'
import { Worker, type WorkerOptions } from 'node:worker_threads'

/**
 * Creates a thread that runs a file. JavaScript runs as it is; for TypeScript, the thread has to register tsx, which Node 20 does not
 * pass on to threads.
 * @param options What the thread may use. Default: all that this one may.
 */
export function createWorker(file: string, workerData: unknown, options: WorkerOptions = {}): Worker {
  if (!file.endsWith('.ts')) return new Worker(file, { ...options, workerData })
  const tsx = import.meta.resolve('tsx/esm/api')
  const source = pathToFileURL(file).href
  const code = `import(${JSON.stringify(tsx)}).then(({ register }) => { register(); return import(${JSON.stringify(source)}) })`
  return new Worker(code, { ...options, eval: true, workerData })
}
