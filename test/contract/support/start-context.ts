import { mkdtemp, rm } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import path from 'node:path'
import { inject } from 'vitest'
import { Problem } from '../../../src/core/errors.ts'
import { createSupervisor } from '../../../src/servers/targets/server/guardian/supervisor.ts'
import { thisHost } from '../../../src/servers/targets/server/limits/check-limits.ts'
import { systemResources } from '../../../src/servers/targets/server/preflight.ts'
import { type StartContext } from '../../../src/servers/targets/target.ts'

export type TestContext = StartContext & AsyncDisposable & { readonly stateFolder: string }

/** What targets need to start, with all its folders below one that is removed at the end. */
export async function startContext(changes: Partial<StartContext> = {}): Promise<TestContext> {
  const folder = await mkdtemp(path.join(tmpdir(), 'mongo-perf-test-'))
  const stateFolder = path.join(folder, 'state')
  const supervisor = createSupervisor(stateFolder)
  return {
    supervisor,
    stateFolder,
    tempFolder: folder,
    mongod: async () => ({ path: inject('mongodPath'), version: '', source: 'test', tried: [] }),
    mongos: async () => {
      throw new Problem('not-measurable-here', 'There is no mongos', { hint: 'Hand one in.' })
    },
    uri: () => undefined,
    allowRemote: false,
    resources: systemResources,
    host: thisHost(),
    home: homedir(),
    signal: new AbortController().signal,
    log: () => undefined,
    ...changes,
    async [Symbol.asyncDispose]() {
      await supervisor[Symbol.asyncDispose]()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
