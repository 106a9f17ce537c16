import { type Db, MongoServerError } from 'mongodb'
import { Problem } from '../../core/errors.ts'
import { transactionNeedsSet } from '../../load/engines/engine.ts'
import { type ServerInfo } from '../../results/schema/servers.ts'
import { type Spec } from '../../spec/schema/schema.ts'
import { listMissing, listSearches } from '../../spec/schema/server-needs.ts'
import { checkConnections } from './descriptors.ts'

/** @throws {Problem} when a server that is reached cannot do what a spec asks for. */
export async function checkServer(spec: Spec, { version, topology }: ServerInfo, db: Db): Promise<void> {
  checkServerVersion(spec, version)
  await checkSearchServer(spec, db)
  checkTopology(spec, topology)
  await checkConnections(spec, db.client.db('admin'))
}

/** @throws {Problem} "not-measurable-here" when the server is older than something in the spec. */
export function checkServerVersion(spec: Pick<Spec, 'data' | 'phases'>, version: string): void {
  const [missing] = listMissing(spec, version)
  if (missing === undefined) return
  const { what, version: needed } = missing
  throw new Problem('not-measurable-here', `${what} needs a server of ${needed} or newer, and this one is ${version}`, {
    hint: 'Measure a newer server, or take it out of the spec: "when" can leave it out for some rows.',
  })
}

/** Replies of a server without a search server: unknown stage, search not enabled, only on Atlas. */
const withoutSearch: ReadonlySet<unknown> = new Set([40_324, 31_082, 6_047_401])

/** @throws {Problem} "not-measurable-here" when a spec searches, and the server has no search server. */
export async function checkSearchServer(spec: Pick<Spec, 'phases'>, db: Db): Promise<void> {
  const [first] = listSearches(spec)
  if (first === undefined) return
  try {
    await db
      .collection('any')
      .aggregate([{ $listSearchIndexes: {} }])
      .toArray()
  } catch (error) {
    if (!(error instanceof MongoServerError)) throw error
    // A user who may search may be one who may not list indexes.
    if (!withoutSearch.has(error.code)) return
    throw new Problem('not-measurable-here', `${first.what} needs a search server, and this server has none`, {
      hint: 'Run it on Atlas, on a local deployment of Atlas, or on a server of 8.2 or newer with mongot beside it.',
      cause: error,
    })
  }
}

/** @throws {Problem} "spec-invalid" for transactions on a server that stands alone. */
function checkTopology({ phases }: Pick<Spec, 'phases'>, topology: ServerInfo['topology']): void {
  const phase = phases.find(({ operations }) => operations.some(({ kind }) => kind === 'transaction'))
  if (phase === undefined || topology !== 'standalone') return
  throw new Problem('spec-invalid', `The phase "${phase.name}" cannot run: ${transactionNeedsSet}`, {
    hint: 'Measure a replica set, if only one of a single member: "target": {"kind": "replicaSet", "members": 1}.',
  })
}
