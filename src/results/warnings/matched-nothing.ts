import { type StepResult } from '../schema/calls.ts'

const updatesOfOne: ReadonlySet<string> = new Set(['updateOne', 'replaceOne'])

const reads: ReadonlySet<string> = new Set(['find', 'findOne', 'aggregate'])

type Counts = Pick<StepResult, 'kind' | 'ok' | 'matched' | 'upserted'>

/** Calls that succeeded and found no document to update. Replies to writes with "w": 0 do not say it. */
export const matchedNothing = ({ kind, ok, matched, upserted }: Counts): number =>
  updatesOfOne.has(kind) ? Math.max(0, ok - matched - upserted) : 0

/** Calls of an operation that counts documents and found none in all of them. Zero where one call found any. */
export function foundNothing({ ok, documents, matched, upserted, inserted, deleted }: StepResult): number {
  return documents === 0 && matched + upserted + inserted + deleted === 0 ? ok : 0
}

/** Whether replies to an operation say what it found, with any write concern. */
export const isRead = ({ kind }: Pick<StepResult, 'kind'>): boolean => reads.has(kind)

/** Share of reads by keys of the data that found nothing; more, where others found several documents. */
export const keysNotFound = ({ kind, keysFromData, ok, documents }: StepResult): number =>
  keysFromData === true && isRead({ kind }) && documents !== null && ok > 0 ? Math.max(0, 1 - documents / ok) : 0
