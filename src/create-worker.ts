import { Worker } from 'node:worker_threads'

/**
 * Creates a thread that runs a file of mongo-perf. Built `.js` files run as they are; from source, the thread has to register
 * tsx, which Node 20 does not pass on to threads.
 * @param from The caller's `import.meta.url`.
 * @param file A relative path without extension.
 */
export function createWorker(from: string, file: string, workerData: unknown): Worker {
  if (!from.endsWith('.ts')) return new Worker(new URL(`${file}.js`, from), { workerData })
  const tsx = import.meta.resolve('tsx/esm/api')
  const source = new URL(`${file}.ts`, from).href
  const code = `import(${JSON.stringify(tsx)}).then(({ register }) => { register(); return import(${JSON.stringify(source)}) })`
  return new Worker(code, { eval: true, workerData })
}
