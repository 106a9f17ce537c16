import { Worker, type WorkerOptions } from 'node:worker_threads'

/**
 * Creates a thread that runs a file of mongo-perf. Built `.js` files run as they are; from source, the thread has to register
 * tsx, which Node 20 does not pass on to threads.
 * @param from The caller's `import.meta.url`.
 * @param file A relative path without extension.
 * @param options What the thread may use. Default: all that this one may.
 */
export function createWorker(from: string, file: string, workerData: unknown, options: WorkerOptions = {}): Worker {
  if (!from.endsWith('.ts')) return new Worker(new URL(`${file}.js`, from), { ...options, workerData })
  const tsx = import.meta.resolve('tsx/esm/api')
  const source = new URL(`${file}.ts`, from).href
  const code = `import(${JSON.stringify(tsx)}).then(({ register }) => { register(); return import(${JSON.stringify(source)}) })`
  return new Worker(code, { ...options, eval: true, workerData })
}
