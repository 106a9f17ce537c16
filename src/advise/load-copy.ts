import { runBenchmark } from '../run/benchmark.ts'
import { createRunEnvironment } from '../run/run-environment.ts'
import { type RunListener } from '../run/run-events.ts'
import { createAdminClient } from '../servers/targets/connection/admin-client.ts'
import { startTarget, targetSpec } from '../servers/targets/index.ts'
import { toDatabaseName } from '../servers/targets/ownership.ts'
import { type StartContext } from '../servers/targets/target.ts'
import { type DataSet, type SpecInput } from '../spec/spec-input.ts'
import { loadSpec } from '../spec/spec-text.ts'
import { asCopy, type Place } from './place.ts'

const name = 'advise'

const ping: SpecInput['phases'] = [
  {
    name: 'ready',
    load: { kind: 'closed', workers: 1 },
    stopAfter: { operations: 1 },
    operations: [{ kind: 'command', command: { ping: 1 } }],
  },
]

type CopiedData = {
  readonly dataSets: readonly DataSet[]
  readonly data: Exclude<Place['data'], 'server'>
  /** Seed of documents that a spec makes. */
  readonly seed?: number
}

/**
 * Starts a server, and loads data into it as a run does: a spec whose only call is a ping. Made-up data come with indexes for a replay, which
 * are dropped: no application has them.
 */
export async function loadCopy(
  { dataSets, data, seed = 1 }: CopiedData,
  start: StartContext,
  listeners: readonly RunListener[] = [],
): Promise<Place> {
  const target = await startTarget(targetSpec.parse({ kind: 'standalone' }), start)
  try {
    const own = { ...start, uri: () => target.uri }
    const spec = await loadSpec({ name, target: { kind: 'existing' }, seed, data: dataSets, phases: ping })
    await runBenchmark(spec, createRunEnvironment(own, { listeners }), { start: own })
    const client = createAdminClient(target.uri, { purpose: 'advise' })
    const db = client.db(toDatabaseName(name))
    if (data === 'made up')
      for (const { name: collection } of await db.listCollections({}, { nameOnly: true }).toArray())
        await db.collection(collection).dropIndexes()
    return {
      ...asCopy(db, target.uri, data),
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
