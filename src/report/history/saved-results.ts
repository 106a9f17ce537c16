import { gzipSync } from 'node:zlib'
import { calculateObjectSize, type Document } from 'bson'
import { z } from 'zod'
import { Problem } from '../../core/errors.ts'
import { memberMetrics } from '../../metrics/shown-metrics.ts'
import { groupBy } from '../../metrics/statistics.ts'
import { packResult } from '../../results/files/pack-result.ts'
import { type Result } from '../../results/schema.ts'
import { compactRow } from '../../run/compact-row.ts'
import { rolesToRead, rolesToWrite } from '../../servers/targets/connection/driver-error.ts'
import { type OutsideCollection, useCollection } from '../../servers/targets/existing/outside-collection.ts'
import { readReportSpec } from '../definition/report-spec.ts'
import { createHistoryEntry, type HistoryEntry, historyEntry, medians } from './entry.ts'

/**
 * Adds a result to a collection: what a history keeps as fields, and the file of the result, compressed.
 * @returns Whether only its compact form had a place in a document.
 */
export async function saveResult(
  to: OutsideCollection,
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
      values: Object.entries(values).map(([metric, value]) => Object.assign({ metric }, value)),
    })),
  }
  for (const make of [() => result, () => compactResult(result)]) {
    const form = make()
    const document = { ...fields, compact: form.compact, result: gzipSync(JSON.stringify(packResult(form))) }
    if (calculateObjectSize(document) <= maxBytes) return document
  }
  throw new Problem('output-unwritable', `The result of "${result.spec.name}" is too large for a document of 16 MB`, {
    hint: 'Run fewer rows at a time, with --only, or split the spec.',
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
  from: OutsideCollection,
): Promise<ReadonlyMap<string, readonly HistoryEntry[]>> {
  const documents = await useCollection(from, rolesToRead, (saved) =>
    saved.find({ format }, { projection: { result: 0 } }).toArray(),
  )
  const runs = new Map<string, HistoryEntry>()
  for (const { _id: id, ...fields } of documents) {
    const { success, data } = savedRun.safeParse(fields)
    if (!success)
      throw new Problem('result-unreadable', `The document ${String(id)} of ${from.place} is damaged`, {
        hint: 'Delete it, or give it another "format".',
      })
    runs.set(JSON.stringify(data), data)
  }
  return groupBy(
    [...runs.values()].toSorted((a, b) => a.date.localeCompare(b.date)),
    ({ spec }) => spec.name,
  )
}
