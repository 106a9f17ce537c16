import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { makeFolder } from '../../core/files.ts'
import { isAlive, readProcessIdentity } from '../../servers/targets/server/guardian/process-identity.ts'

const indexRecord = z.object({
  namespace: z.string(),
  name: z.string(),
  /** Addresses of the server, without user and password. */
  hosts: z.string(),
  owner: z.object({ pid: z.int().positive(), startTime: z.string().nullable() }),
})

/** An index that a run has built on a collection of the user, as it stands on disk until it is dropped. */
export type IndexRecord = z.output<typeof indexRecord>

const folderIn = (stateFolder: string): string => path.join(stateFolder, 'indexes')

const toFilePath = (stateFolder: string, { owner, name }: IndexRecord): string =>
  path.join(folderIn(stateFolder), `${owner.pid}-${name.replaceAll(/\W+/g, '-').slice(0, 80)}.json`)

/** Writes an index down before it is built. */
export function recordIndex(stateFolder: string, index: Omit<IndexRecord, 'owner'>): IndexRecord {
  const record = { ...index, owner: readProcessIdentity(process.pid) }
  makeFolder(folderIn(stateFolder))
  writeFileSync(toFilePath(stateFolder, record), JSON.stringify(record, null, 2))
  return record
}

/** Deletes the record of an index that is dropped. */
export const forgetIndex = (stateFolder: string, record: IndexRecord): void =>
  rmSync(toFilePath(stateFolder, record), { force: true })

/** The indexes that are written down, and whether the run of each goes on. Damaged files are left out. */
export function listIndexRecords(stateFolder: string): readonly (IndexRecord & { readonly isInUse: boolean })[] {
  let names: readonly string[]
  try {
    names = readdirSync(folderIn(stateFolder)).filter((name) => name.endsWith('.json'))
  } catch {
    return []
  }
  return names.flatMap((name) => {
    try {
      const record = indexRecord.parse(JSON.parse(readFileSync(path.join(folderIn(stateFolder), name), 'utf8')))
      return [{ ...record, isInUse: isAlive(record.owner) }]
    } catch {
      return []
    }
  })
}

/** How to drop an index in the shell. */
export function dropInShell({ namespace, name }: Pick<IndexRecord, 'namespace' | 'name'>): string {
  const cut = namespace.indexOf('.')
  const [database, collection] = [namespace.slice(0, cut), namespace.slice(cut + 1)].map((text) => JSON.stringify(text))
  return `db.getSiblingDB(${database}).getCollection(${collection}).dropIndex(${JSON.stringify(name)})`
}
