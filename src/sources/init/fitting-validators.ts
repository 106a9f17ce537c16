import { type Db, type Document, MongoServerError } from 'mongodb'
import { isObject, type Json, type JsonObject } from '../../core/json.ts'
import { loadSpecText } from '../../spec/load-spec.ts'
import { createDataSet } from '../../spec/plan/data-set.ts'
import { printSpec } from '../../spec/schema/print-spec.ts'
import { type MadeSpec } from './spec-of-collection.ts'

const tried = 50

/** Removes the validators that made-up documents do not pass, as the server says: it looks at some without storing them. */
export async function withFittingValidators<Made extends MadeSpec>(made: Made, db: Db): Promise<Made> {
  const data = made.spec['data'] ?? null
  if (!JSON.stringify(data).includes('"validator"')) return made
  const [row] = loadSpecText(printSpec(made.spec), 'made').rows
  const notes: string[] = []
  const fitted: Json[] = []
  for (const [i, spec] of (row?.spec.data ?? []).entries()) {
    const written = (Array.isArray(data) ? data[i] : data) as JsonObject
    const { options, ...rest } = written
    const validator = isObject(options) ? options['validator'] : undefined
    if (!isObject(options) || validator === undefined) {
      fitted.push(written)
      continue
    }
    const { documentOf } = createDataSet(spec, ['data', i], { seed: 42, report: () => {}, data: row?.spec.data ?? [] })
    const documents = Array.from({ length: tried }, (_, n) => documentOf?.(n).document ?? {})
    const refused = await refusedBy(db, spec.options?.validator as Document, documents)
    const { validator: _, validationLevel: __, validationAction: ___, ...others } = options
    if (refused !== undefined) notes.push(`The validator of ${spec.collection} is left out: ${refused}.`)
    fitted.push(
      refused === undefined ? written : { ...rest, ...(Object.keys(others).length > 0 ? { options: others } : {}) },
    )
  }
  if (notes.length === 0) return made
  const description = [...(made.spec['description'] as readonly Json[]), ...notes]
  const spec = { ...made.spec, description, data: Array.isArray(data) ? fitted : (fitted[0] ?? null) }
  return { ...made, notes: [...made.notes, ...notes], spec }
}

async function refusedBy(db: Db, validator: Document, documents: readonly object[]): Promise<string | undefined> {
  try {
    const passing = await db.aggregate([{ $documents: documents }, { $match: validator }, { $count: 'n' }]).toArray()
    const count = Number(passing[0]?.['n'] ?? 0)
    return count === documents.length
      ? undefined
      : `${documents.length - count} of ${documents.length} made-up documents do not pass it`
  } catch (error) {
    if (!(error instanceof MongoServerError)) throw error
    return 'this server cannot say whether made-up documents pass it'
  }
}
