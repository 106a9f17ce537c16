import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { MongoServerError } from 'mongodb'
import { z } from 'zod'
import { doBeforeExit } from '../../../../core/before-exit.ts'
import { Problem } from '../../../../core/errors.ts'
import { makeFolder } from '../../../../core/files.ts'
import { createAdminClient } from '../../connection/admin-client.ts'
import { hintForCause, messageWithoutSecrets } from '../../connection/driver-error.ts'
import { dropDatabaseIfOurs, isOurs } from '../../ownership.ts'
import { isAlive, readProcessIdentity } from './process-identity.ts'
import { type Supervisor } from './supervisor.ts'

const changeRecord = z.object({
  /** Collection of the index, or a database that a comparison made. */
  namespace: z.string(),
  /** Name of the index. Absent: the database is the change. */
  name: z.string().optional(),
  /** Addresses of the server, without user and password. */
  hosts: z.string(),
  owner: z.object({ pid: z.int().positive(), startTime: z.string().nullable() }),
  /** The guardian that takes it back. Absent: there is none. */
  guardian: z.string().optional(),
})

/** A change of a server that the user started, as it stands on disk until it is taken back. */
export type ChangeRecord = z.output<typeof changeRecord>

const folderIn = (stateFolder: string): string => path.join(stateFolder, 'indexes')

/** The file that a change is written down in. */
export const toChangePath = (stateFolder: string, { owner, namespace, name = namespace }: ChangeRecord): string =>
  path.join(folderIn(stateFolder), `${owner.pid}-${name.replaceAll(/\W+/g, '-').slice(0, 80)}.json`)

/** Writes a change of a server down, before it is made. Returns what takes it back. */
export type RecordChange = (change: Pick<ChangeRecord, 'namespace' | 'name'>) => () => Promise<void>

/** Has what is changed on a server taken back also at a second Ctrl-C, and after `kill -9`. @param uri A secret, which is not written. */
export async function guardChanges(
  uri: string,
  { guard, id: guardian }: Pick<Supervisor, 'guard' | 'id'>,
  stateFolder: string,
): Promise<RecordChange> {
  await guard(uri)
  return (change) => {
    const record = { ...change, guardian, hosts: listHosts(uri), owner: readProcessIdentity(process.pid) }
    makeFolder(folderIn(stateFolder))
    writeFileSync(toChangePath(stateFolder, record), JSON.stringify(record, null, 2))
    const back = (): Promise<void> => takeBack(stateFolder, record, uri)
    doBeforeExit(back)
    return back
  }
}

/** The addresses in a URI. */
export const listHosts = (uri: string): string => createAdminClient(uri).options.hosts.join(',')

/** The changes that are written down, indexes first, and whether the run of each goes on. Damaged files are left out. */
export function listChanges(stateFolder: string): readonly (ChangeRecord & { readonly isInUse: boolean })[] {
  let names: readonly string[]
  try {
    names = readdirSync(folderIn(stateFolder)).filter((name) => name.endsWith('.json'))
  } catch {
    return []
  }
  const records = names.flatMap((name) => {
    try {
      const record = changeRecord.parse(JSON.parse(readFileSync(path.join(folderIn(stateFolder), name), 'utf8')))
      return [{ ...record, isInUse: isAlive(record.owner) }]
    } catch {
      return []
    }
  })
  return records.toSorted((one, other) => Number(one.name === undefined) - Number(other.name === undefined))
}

/** Whether there is nothing to drop. Codes of errors of the server: IndexNotFound and NamespaceNotFound. */
export const isGone = (error: unknown): boolean =>
  error instanceof MongoServerError && [27, 26].includes(Number(error.code))

/**
 * Drops an index or a database over separate connections, and forgets it.
 * @throws {Problem} when the server does not do it: the record stays.
 */
export async function takeBack(stateFolder: string, record: ChangeRecord, uri: string): Promise<void> {
  const { name, namespace } = record
  try {
    await using client = createAdminClient(uri, { purpose: 'index', reachMs: 10_000 })
    const [database = '', ...collection] = namespace.split('.')
    if (name === undefined) await dropDatabaseIfOurs(client.db(database))
    else await client.db(database).command({ dropIndexes: collection.join('.'), index: name })
  } catch (error) {
    if (!isGone(error))
      throw new Problem(
        'target-unreachable',
        `${describeChange(record)} is left: ${messageWithoutSecrets(error, uri)}`,
        { hint: `Drop it with mongo-perf clean --uri …, or in the shell: ${dropInShell(record)}` },
      )
  }
  rmSync(toChangePath(stateFolder, record), { force: true })
}

/** The databases of a server that runs made, by the marker in them. */
export async function listOurDatabases(uri: string): Promise<readonly string[]> {
  try {
    await using client = createAdminClient(uri, { purpose: 'index', reachMs: 10_000 })
    const { databases } = await client.db().admin().listDatabases({ nameOnly: true })
    const found = await Promise.all(databases.map(async ({ name }) => ((await isOurs(client.db(name))) ? name : [])))
    return found.flat()
  } catch (error) {
    throw new Problem('target-unreachable', `Databases cannot be listed: ${messageWithoutSecrets(error, uri)}`, {
      hint: hintForCause(error) ?? 'Give --uri a user who may list databases and read them.',
    })
  }
}

/** "index a_1 on shop.orders of localhost:27017". */
export const describeChange = ({ namespace, name, hosts }: ChangeRecord): string =>
  `${name === undefined ? 'database' : `index ${name} on`} ${namespace} of ${hosts}`

/** How to drop an index or a database in the shell. */
export function dropInShell({ namespace, name }: Pick<ChangeRecord, 'namespace' | 'name'>): string {
  const [database, ...collection] = namespace.split('.')
  const there = `db.getSiblingDB(${JSON.stringify(database)})`
  return name === undefined
    ? `${there}.dropDatabase()`
    : `${there}.getCollection(${JSON.stringify(collection.join('.'))}).dropIndex(${JSON.stringify(name)})`
}
