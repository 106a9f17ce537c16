import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'

/** Creates a thread that runs a file. JavaScript runs as it is; for TypeScript, the thread has to register tsx, which Node 20 does not pass on to threads. */
export function createWorker(file: string, workerData: unknown): Worker {
  if (!file.endsWith('.ts')) return new Worker(file, { workerData })
  const tsx = import.meta.resolve('tsx/esm/api')
  const source = pathToFileURL(file).href
  const code = `import(${JSON.stringify(tsx)}).then(({ register }) => { register(); return import(${JSON.stringify(source)}) })`
  return new Worker(code, { eval: true, workerData })
}
