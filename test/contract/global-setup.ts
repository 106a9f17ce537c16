import { type TestProject } from 'vitest/node'
import { thisMachine } from '../../src/servers/machine.ts'
import { findMongod, findRedis } from '../../src/servers/targets/server/programs/programs.ts'
import { freshBuild } from '../fresh-build.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A mongod that runs on this machine. */
    mongodPath: string
    /** A Redis or Valkey server that runs on this machine. */
    redisPath: string
  }
}

/** Builds the program where it is not fresh, and looks for (or fetches) a mongod and a Redis, once for all tests of a project. */
export async function setup(project: TestProject): Promise<void> {
  await freshBuild()
  const machine = thisMachine(process.env)
  const found = await findMongod({}, { machine, signal: new AbortController().signal, log: () => undefined })
  project.provide('mongodPath', found.path)
  const redis = await findRedis({ machine, signal: new AbortController().signal, log: () => undefined })
  project.provide('redisPath', redis.path)
}
