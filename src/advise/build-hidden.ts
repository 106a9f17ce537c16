import { randomUUID } from 'node:crypto'
import { type Db, type Document, MongoServerError } from 'mongodb'
import { systemClock } from '../core/clock.ts'
import { Problem } from '../core/errors.ts'
import { readableNumber } from '../metrics/format.ts'
import { dropInShell } from '../servers/targets/server/guardian/changed-servers.ts'
import { type CollectionProfile } from '../sources/init/collection/collection-profile.ts'
import { isOlder } from '../spec/schema/server-needs.ts'
import { type Candidate } from './candidate.ts'
import { type Place } from './place.ts'

/** Indexes of candidates, by candidate. They are hidden. */
export type BuiltCandidates = {
  readonly names: ReadonlyMap<Candidate, string>
  /** Reasons why the server does not build candidates. */
  readonly refused: ReadonlyMap<Candidate, string>
  readonly drop: (name: string) => Promise<void>
}

/** The beginning of the names of all indexes that mongo-perf builds on a collection of the user. */
const prefix = 'mongoperf_trial_'

/**
 * Builds candidates, so that no query uses them until they are shown.
 * @throws {Problem} when the user may not do so, or when it was stopped; what was not finished is dropped then.
 */
export async function buildHidden(
  { db, recordChange }: Pick<Place, 'db' | 'recordChange'>,
  profile: Pick<CollectionProfile, 'documents'>,
  candidates: readonly Candidate[],
  signal: AbortSignal,
): Promise<BuiltCandidates> {
  const names = new Map<Candidate, string>()
  const refused = new Map<Candidate, string>()
  const drops = new Map<string, () => Promise<void>>()
  for (const candidate of candidates) {
    const { collection, key, options } = candidate
    const lacking = describeLackOfRoom(estimateBytes(profile, candidate), await readFreeBytes(db))
    if (lacking !== undefined) {
      refused.set(candidate, lacking)
      continue
    }
    const name = `${prefix}${randomUUID().slice(0, 8)}`
    const drop = recordChange({ namespace: `${db.databaseName}.${collection}`, name })
    const index = { key: Object.fromEntries(key), name, hidden: true, ...options }
    const building = db.command({ createIndexes: collection, indexes: [index] })
    try {
      await untilBuilt(building, drop, signal)
      names.set(candidate, name)
      drops.set(name, drop)
    } catch (error) {
      await drop()
      if (!(error instanceof MongoServerError) || error.code === unauthorized) throw error
      refused.set(
        candidate,
        reasons.reduce((text, [message, reason]) => text.replace(message, reason), error.message),
      )
    }
  }
  return { names, refused, drop: async (name) => drops.get(name)?.() }
}

/** @throws {Problem} when a server is too old to hide an index: other programs would use it. */
export function requireHidden(version: string): void {
  if (!isOlder(version, '4.4')) return
  throw new Problem('refused', `MongoDB ${version} cannot hide indexes, so none is tried on it`, {
    hint: 'Try them on a copy: mongodump, then --data dump/, which is loaded into a newer mongod (--mongod names one).',
  })
}

/** The server's code of an action that the user's roles do not allow. */
const unauthorized = 13

/** Messages of servers that build no index, and what a user reads instead. */
const reasons: readonly (readonly [message: RegExp, text: string])[] = [
  [/^Index build failed.* :: caused by :: /s, ''],
  [/^.*too many indexes.*$/s, 'the collection has 64 indexes: drop one that is not needed first'],
  [/^.*already exists with a different name.*?: (\S+).*$/s, 'the collection has it already: $1'],
  [/^.*dup key: (\{.*\}).*$/s, 'several documents have $1: without "unique" it can be built'],
]

/** Reads the bytes that are free on the disk of a server. Infinity: it does not say. */
async function readFreeBytes(db: Db): Promise<number> {
  const { fsTotalSize = Infinity, fsUsedSize = 0 } = await db.stats().catch(() => ({}) as Document)
  return fsTotalSize - fsUsedSize
}

/** Estimated bytes of an entry, and of each field in it: enough for most texts, of which an entry omits what the one before it begins with. */
const [entryBytes, fieldBytes] = [16, 32]

/** Estimates the disk that a build takes: the index, and its entries while they are sorted. */
const estimateBytes = ({ documents }: Pick<CollectionProfile, 'documents'>, { key, share }: Candidate): number =>
  2 * documents * share * (entryBytes + key.length * fieldBytes)

/** Says that an index does not fit on the disk. Undefined: it does. */
export function describeLackOfRoom(needed: number, free: number): string | undefined {
  if (needed <= free) return undefined
  const [wanted, left] = [needed, free].map((bytes) => readableNumber(bytes / 1024 / 1024))
  return `it may take ${wanted} MB, and the disk of its server has ${left} MB free: free some, point TMPDIR at a larger disk, or dump a part of the data`
}

const pollMs = 200

/** Waits for a build. It goes on without its client, and may not even have begun: once stopped, its index is dropped until the server has answered. */
async function untilBuilt(building: Promise<Document>, drop: () => Promise<void>, signal: AbortSignal): Promise<void> {
  const ended = building.then(isOver, isOver)
  while (!(await Promise.race([ended, systemClock.sleep(pollMs)]))) if (signal.aborted) await drop()
  if (signal.aborted) throw new Problem('aborted', 'Stopped while an index was built', { hint: 'It is dropped.' })
  await building
}

const isOver = (): true => true

/** @throws {Problem} when a collection has an index of another run, which may be in use. */
export function refuseOthers({ database, collection, indexes }: CollectionProfile): void {
  const other = indexes.find(({ name }) => name.startsWith(prefix))
  if (other === undefined) return
  const [namespace, name] = [`${database}.${collection}`, other.name]
  throw new Problem('refused', `${namespace} has the index "${name}" of another run`, {
    hint: `If that was killed, drop it with mongo-perf clean --uri …, or in the shell: ${dropInShell({ namespace, name })}`,
  })
}
