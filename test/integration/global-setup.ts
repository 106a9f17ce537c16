import { type TestProject } from 'vitest/node'
import { findMongod } from '../../src/targets/server/find-mongod.ts'
import { thisMachine } from '../../src/targets/server/machine.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A mongod that runs on this machine. */
    mongodPath: string
  }
}

/** Looks for (or fetches) a mongod once, for all integration tests. */
export async function setup(project: TestProject): Promise<void> {
  const machine = thisMachine(process.env)
  const found = await findMongod({}, { machine, signal: new AbortController().signal, log: () => undefined })
  project.provide('mongodPath', found.path)
}
