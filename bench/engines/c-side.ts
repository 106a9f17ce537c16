import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { encodeMessage } from '../../src/protocol/wire/frame.ts'
import { type Cost } from '../benchmark.ts'
import { collection, database, readConcern, type Side, type SideLoad } from './side.ts'

const run = promisify(execFile)
const source = fileURLToPath(new URL('epoll-loop.c', import.meta.url))
const compilers = ['cc', 'gcc', 'clang']

/** A key whose bytes are nowhere else in the message. */
const keyToFind = 0x7a6b5c4d

/** Builds the loop in C, where there is a compiler for Linux. Undefined: there is none. */
export async function startCSide({ uri, workers, keys }: SideLoad): Promise<Side | undefined> {
  const folder = await mkdtemp(path.join(tmpdir(), 'mongo-perf-bench-'))
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true })
  const program = path.join(folder, 'epoll-loop')
  if (!(await builds(program))) {
    await remove()
    return undefined
  }
  const { hostname, port } = new URL(uri)
  const filter = { _id: keyToFind }
  const find = { find: collection, filter, limit: 1, singleBatch: true, readConcern, $db: database }
  const message = encodeMessage(find, 1)
  const key = Buffer.alloc(4)
  key.writeInt32LE(keyToFind)
  return {
    async measure(operations) {
      const words = [hostname, port, workers, operations, keys, message.indexOf(key)].map(String)
      const running = run(program, words)
      running.child.stdin?.end(message)
      return JSON.parse((await running).stdout) as Cost
    },
    [Symbol.asyncDispose]: remove,
  }
}

async function builds(program: string): Promise<boolean> {
  if (process.platform !== 'linux') return false
  for (const compiler of compilers) {
    try {
      await run(compiler, ['-O2', '-o', program, source])
      return true
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
  }
  return false
}
