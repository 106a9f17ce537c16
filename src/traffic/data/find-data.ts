import { statSync } from 'node:fs'
import { join, parse, resolve } from 'node:path'
import { Problem } from '../../core/errors.ts'
import { identifyFile } from '../../spec/schema/data-file-kinds.ts'
import { collectionName } from '../../spec/schema/data-schema.ts'
import { listFolder, readPrelude } from '../../spec/schema/dump.ts'
import { type Namespace, existingNamespace } from '../../spec/schema/namespace.ts'
import type { DataSet } from '../../spec/spec-input.ts'
import type { Recording } from '../recording/open-recording.ts'
import { findCollection, makeUpData } from './make-up.ts'

export type ReplayData = {
  /** The database that most calls are on: the only one that is loaded. */
  readonly database: string
  /** The folder or the archive that is loaded. */
  readonly from: string
  /** The collections in it, and others that calls name: managed, but not created, so that they are dropped before the next load. */
  readonly dataSets: readonly DataSet[]
}

/** The source for data that is made up from the calls. */
export const recordedData = 'recorded'

/**
 * Finds the collections that are loaded before a replay.
 * @param source The folder or archive of mongodump; or "recorded", which writes a folder next to the recording.
 * @param refuse Throws for a database that may not be loaded, before documents are made up for it.
 * @throws {Problem} "usage" where there is nothing to load, "output-unwritable", "disk-full".
 */
export async function findData(
  source: string,
  file: string,
  recording: Recording,
  refuse: (database: string) => void = () => undefined,
): Promise<ReplayData> {
  const { database, collections } = await findDatabase(file, recording)
  const { dir, name } = parse(file)
  const from = source === recordedData ? join(dir, `${name}-made-up-data`) : source
  if (source === recordedData) {
    refuse(database)
    await makeUpData(recording, database, from)
  }
  const dumped = findDump(from, database)
  const others = [...collections].filter(
    (one) => !dumped.some(({ collection }) => collection === one) && collectionName.safeParse(one).success,
  )
  return { database, from, dataSets: [...dumped, ...others.map((collection) => ({ collection, create: false }))] }
}

/**
 * Finds the collections of a database in a folder or an archive of mongodump.
 * @throws {Problem} "usage" where there are none.
 */
export function findDump(from: string, database: string): readonly DataSet[] {
  const all = listDump(from)
  // A time series is listed by its name, and refused when it is loaded.
  const dumped = all.flatMap((one) =>
    one.database === database ? one.collection.replace(/^system\.buckets\./, '') : [],
  )
  const loaded = dumped.filter((collection) => !collection.startsWith('system.'))
  if (loaded.length === 0) throw nothingToLoad(from, database, all)
  return loaded.map((collection) => ({ collection, file: from, namespace: `${database}.${collection}` }))
}

/** Maximum number of collections that calls name. Further ones are not managed. */
const maxCollections = 10_000

/** A database, the number of calls on it, and the collections that they name. */
type UsedDatabase = { readonly database: string; calls: number; readonly collections: Set<string> }

/** Lists the databases of a recording, the one with most calls first. @throws {Problem} "recording-unreadable". */
export async function listDatabases(recording: Recording): Promise<readonly UsedDatabase[]> {
  const found = new Map<string, UsedDatabase>()
  for await (const batch of recording.batches())
    for (const call of batch) {
      const { database } = call
      let used = found.get(database)
      if (used === undefined) found.set(database, (used = { database, calls: 0, collections: new Set() }))
      used.calls += 1
      if (used.collections.size < maxCollections) used.collections.add(findCollection(call))
    }
  return [...found.values()].toSorted((one, other) => other.calls - one.calls)
}

/** Finds the database with most calls, of those into which data can be loaded. */
async function findDatabase(file: string, recording: Recording): Promise<UsedDatabase> {
  const all = await listDatabases(recording)
  const first = all.find(({ database }) => existingNamespace.safeParse(`${database}.any`).success)
  if (first !== undefined) return first
  throw new Problem('usage', `${file} has no call on a database into which data can be loaded`, {
    hint: 'Replay it without --data.',
  })
}

/** Lists the collections of a folder or an archive. */
function listDump(path: string): readonly Namespace[] {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found?.isDirectory()) return listFolder(resolve(path))
  const { kind, isGzip } = found?.isFile() ? identifyFile(path) : { kind: undefined, isGzip: false }
  const listed = kind === 'archive' ? readPrelude(path, isGzip) : 'is not a folder or archive of mongodump'
  if (typeof listed !== 'string') return listed
  throw new Problem('usage', `--data ${path} ${listed}`, {
    hint: `Name what mongodump wrote, or "${recordedData}" for documents that are made up from the calls.`,
  })
}

function nothingToLoad(path: string, database: string, all: readonly Namespace[]): Problem {
  const others = [...new Set(all.map((one) => one.database))].join(', ')
  return new Problem('usage', `${path} has no collection of "${database}", the database of these operations`, {
    hint: others === '' ? 'Name the folder or the archive that mongodump wrote.' : `It has collections of ${others}.`,
  })
}
