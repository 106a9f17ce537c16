import { type Db } from 'mongodb'
import { runBenchmark } from '../run/benchmark.ts'
import { createRunEnvironment } from '../run/run-environment.ts'
import { createAdminClient } from '../servers/targets/connection/admin-client.ts'
import { startTarget, targetSpec } from '../servers/targets/index.ts'
import { toDatabaseName } from '../servers/targets/ownership.ts'
import { type StartContext } from '../servers/targets/target.ts'
import { type DataSet, type SpecInput } from '../spec/spec-input.ts'
import { loadSpec } from '../spec/spec-text.ts'

/** A copy of data on a server of our own. Disposing it stops the server. */
export type DataCopy = AsyncDisposable & { readonly db: Db; readonly uri: string }

const name = 'advise'

const ping: SpecInput['phases'] = [
  {
    name: 'ready',
    load: { kind: 'closed', workers: 1 },
    stopAfter: { operations: 1 },
    operations: [{ kind: 'command', command: { ping: 1 } }],
  },
]

/** Starts a server, and loads data into it as a run does: a spec whose only call is a ping. */
export async function loadCopy(dataSets: readonly DataSet[], start: StartContext): Promise<DataCopy> {
  const target = await startTarget(targetSpec.parse({ kind: 'standalone' }), start)
  try {
    const own = { ...start, uri: () => target.uri }
    const spec = await loadSpec({ name, target: { kind: 'existing' }, data: dataSets, phases: ping })
    await runBenchmark(spec, createRunEnvironment(own), { start: own })
    const client = createAdminClient(target.uri, { purpose: 'advise' })
    return {
      uri: target.uri,
      db: client.db(toDatabaseName(name)),
      async [Symbol.asyncDispose]() {
        await client.close()
        await target[Symbol.asyncDispose]()
      },
    }
  } catch (error) {
    await target[Symbol.asyncDispose]()
    throw error
  }
}
