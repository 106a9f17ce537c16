import { gzipSync } from 'node:zlib'
import { calculateObjectSize } from 'bson'
import { type Collection, type Document } from 'mongodb'
import { z } from 'zod'
import { Problem } from '../../core/errors.ts'
import { memberMetrics } from '../../metrics/shown-metrics.ts'
import { groupBy } from '../../metrics/statistics.ts'
import { packResult } from '../../results/files/pack-result.ts'
import { type Result } from '../../results/schema.ts'
import { compactRow } from '../../run/compact-row.ts'
import { createAdminClient } from '../../servers/targets/connection/admin-client.ts'
import {
  hintForCause,
  hintForMissingRole,
  isDriverError,
  messageWithoutSecrets,
  type Roles,
  rolesToRead,
  rolesToWrite,
} from '../../servers/targets/connection/driver-error.ts'
import { parseUri, reachExisting } from '../../servers/targets/existing/reach-existing.ts'
import { readReportSpec } from '../definition/report-spec.ts'
import { createHistoryEntry, type HistoryEntry, historyEntry, medians } from './entry.ts'

/** A collection that results are saved to, on any server. */
export type ResultsCollection = {
  readonly uri: string
  readonly database: string
  readonly collection: string
  /** For messages, without user and password: "perf.results on localhost:27017". */
  readonly place: string
}

/**
 * Reaches the server of a URI such as mongodb://host:27017/perf.results. As in other URIs, users belong to the database in it unless
 * `authSource` names another.
 * @param from What holds the URI, for messages.
 * @throws {Problem} "usage" where it names no collection, "target-unreachable" where the server cannot be used.
 */
export async function reachCollection(given: string, from: string): Promise<ResultsCollection> {
  const parsed = parseUri(given, from)
  const [, database, collection] = /^\/([\w-]+)\.([\w.-]+)$/.exec(parsed.pathname) ?? []
  if (database === undefined || collection === undefined)
    throw new Problem('usage', `The URI of ${from} names no collection for results`, {
      hint: 'Put a database and a collection behind the host, of letters, digits, hyphens and underscores: mongodb://host:27017/perf.results',
    })
  parsed.pathname = `/${database}`
  const { uri } = await reachExisting(from, { uri: () => parsed.toString(), allowRemote: true })
  return { uri, database, collection, place: `${database}.${collection} on ${parsed.hosts.join(',')}` }
}

/**
 * Adds a result to a collection: what a history keeps as fields, and the file of the result, compressed.
 * @returns Whether only its compact form had a place in a document.
 */
export async function saveResult(
  to: ResultsCollection,
  result: Result,
  commit: string | null,
): Promise<{ readonly compacted: boolean }> {
  const document = createSavedResult(result, commit)
  await useCollection(to, rolesToWrite, (saved) => saved.insertOne(document))
  return { compacted: document['compact'] === true && !result.compact }
}

/** Marks our documents: a collection may have others. */
const format = 'mongo-perf-saved-result'

/** Bytes of the largest document of MongoDB, without those that the driver adds. */
const maxDocumentBytes = 2 ** 24 - 2 ** 10

/**
 * Creates the document of a result: the compact form where the whole one is too large.
 * @throws {Problem} "output-unwritable" where both are.
 */
export function createSavedResult(result: Result, commit: string | null, maxBytes = maxDocumentBytes): Document {
  const { date, rows, ...entry } = createHistoryEntry(result, commit)
  const fields = {
    format,
    ...entry,
    date: new Date(date),
    // Names with dots are paths to who queries.
    rows: rows.map(({ row, values }) => ({
      row,
      values: Object.entries(values).map(([metric, value]) => ({ metric, ...value })),
    })),
  }
  for (const form of [() => result, () => compactResult(result)]) {
    const { compact, ...file } = packResult(form())
    const document = { ...fields, compact, result: gzipSync(JSON.stringify({ ...file, compact })) }
    if (calculateObjectSize(document) <= maxBytes) return document
  }
  throw new Problem('output-unwritable', `The result of "${result.spec.name}" is too large for a document of 16 MB`, {
    hint: 'Run fewer rows at a time, with --only, or specs of their own.',
  })
}

function compactResult(result: Result): Result {
  const ofMembers = memberMetrics(readReportSpec(result))
  return { ...result, compact: true, variants: result.variants.map((row) => compactRow(row, ofMembers)) }
}

const savedRun = historyEntry.extend({
  date: z.date().transform((date) => date.toISOString()),
  rows: z.array(
    z.object({
      row: z.string(),
      values: z
        .array(medians.extend({ metric: z.string() }))
        .transform((all) => Object.fromEntries(all.map(({ metric, ...value }) => [metric, value]))),
    }),
  ),
})

/**
 * Reads the histories of a collection, by the names of specs. A result that was saved twice counts once.
 * @throws {Problem} "result-unreadable" for a document of ours that is damaged.
 */
export async function readSavedHistories(
  from: ResultsCollection,
): Promise<ReadonlyMap<string, readonly HistoryEntry[]>> {
  const documents = await useCollection(from, rolesToRead, (saved) =>
    saved.find({ format }, { projection: { result: 0 } }).toArray(),
  )
  const runs = new Map<string, HistoryEntry>()
  for (const document of documents) {
    const { success, data } = savedRun.safeParse(document)
    if (!success)
      throw new Problem('result-unreadable', `The document ${String(document._id)} of ${from.place} is damaged`, {
        hint: 'Delete it, or give it another "format".',
      })
    runs.set(JSON.stringify(data), data)
  }
  return groupBy(
    [...runs.values()].toSorted((a, b) => a.date.localeCompare(b.date)),
    ({ spec }) => spec.name,
  )
}

async function useCollection<Found>(
  { uri, database, collection, place }: ResultsCollection,
  roles: Roles,
  work: (collection: Collection) => Promise<Found>,
): Promise<Found> {
  try {
    await using client = createAdminClient(uri, { uriFrom: place, reachMs: 10_000 })
    return await work(client.db(database).collection(collection))
  } catch (error) {
    if (!isDriverError(error)) throw error
    throw new Problem('target-unreachable', `${place} cannot be used: ${messageWithoutSecrets(error, uri)}`, {
      hint:
        hintForMissingRole(error, { uri, database, roles }) ??
        hintForCause(error) ??
        'Check that the server runs, and that it takes writes.',
    })
  }
}
