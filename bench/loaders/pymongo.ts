import { execFile, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gone } from '../start-process.ts'
import { type LoadCost, type Loader, loopBatch } from './loader.ts'

const python = process.env['PYTHON'] ?? 'python3'

const pymongoMissing = 'no pymongo: "pip install pymongo", and name the Python that has it in PYTHON'

/** A loop of pymongo, in a process of its own. Undefined: there is no pymongo here, and a line says how to get it. */
export async function startPymongo(
  uri: string,
  print: (line: string) => void,
): Promise<(Loader & AsyncDisposable) | undefined> {
  try {
    await promisify(execFile)(python, ['-c', 'import pymongo'])
  } catch {
    print(pymongoMissing)
    return undefined
  }
  const script = fileURLToPath(new URL('insert_many_loop.py', import.meta.url))
  const child = spawn(python, [script, uri], { stdio: ['pipe', 'pipe', 'inherit'] })
  const answers = createInterface(child.stdout)[Symbol.asyncIterator]()
  return {
    name: 'insert_many of pymongo, in a loop',
    isLoop: true,
    async load(db, { collection, file }) {
      child.stdin.write(`${JSON.stringify({ database: db.databaseName, collection, file, batch: loopBatch })}\n`)
      const { value, done } = await answers.next()
      if (done === true) throw new Error('The process of pymongo has ended')
      return JSON.parse(value) as LoadCost
    },
    async [Symbol.asyncDispose]() {
      child.stdin.end()
      await gone(child)
    },
  }
}
