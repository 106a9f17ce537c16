import { Worker } from 'node:worker_threads'

/**
 * A thread that runs a file of ours. The built tool runs `.js` files as they are; run from the source, a thread needs tsx, and
 * Node 20 hands none on to it.
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
