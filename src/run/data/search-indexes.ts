import { type Db, type Document } from 'mongodb'
import { type Clock } from '../../core/clock.ts'
import { Problem } from '../../core/errors.ts'
import { type Json, type JsonObject } from '../../core/json.ts'
import { fixedValue } from '../../language/values/fixed-value.ts'
import { type DataSetSpec } from '../../spec/schema/data-schema.ts'
import { explained, type OnSent } from './indexes.ts'

const pollMs = 500
/** A search server that builds an index for longer is stuck, or too small. */
const maxBuildMs = 3_600_000

/** Creates the search indexes of a collection, and waits until all of them can be queried. */
export async function createSearchIndexes(
  db: Db,
  { collection, searchIndexes }: Pick<DataSetSpec, 'collection' | 'searchIndexes'>,
  { clock, onSent }: { readonly clock: Clock; readonly onSent: OnSent },
): Promise<void> {
  if (searchIndexes.length === 0) return
  const command = { createSearchIndexes: collection, indexes: searchIndexes as Json }
  await explained(`the search indexes of "${collection}"`, db.command(fixedValue(command) as Document))
  onSent(collection, [{ ...command, $db: db.databaseName } as JsonObject])
  const startMs = clock.now()
  for (;;) {
    const found = (await db.collection(collection).listSearchIndexes().toArray()) as Document[]
    if (found.filter(({ queryable }) => queryable === true).length >= searchIndexes.length) return
    const failed = found.find(({ status }) => status === 'FAILED')
    if (failed !== undefined || clock.now() - startMs > maxBuildMs)
      throw new Problem(
        'not-measurable-here',
        `The search server ${failed ? `could not build the index "${String(failed['name'])}"` : 'has not built the indexes within an hour'} of "${collection}"`,
        { hint: 'Look into the log of the search server, and correct "searchIndexes" in the spec.' },
      )
    await clock.sleep(pollMs)
  }
}
