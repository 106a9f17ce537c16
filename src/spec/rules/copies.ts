import { type Path } from '../../core/json.ts'
import { type Report } from '../../language/issues.ts'
import { collectFindings } from '../../language/reasons.ts'
import { toDatabaseName } from '../../servers/targets/ownership.ts'
import {
  type Addressed,
  describeCopies,
  isDrawn,
  listCopies,
  listEdges,
  listNamedSets,
  mapCopies,
  nameCopy,
} from '../plan/copies.ts'
import { methodsWithPaths } from '../plan/phase-operations.ts'
import { collectionName, type DataSetSpec } from '../schema/data-schema.ts'
import { type Spec } from '../schema/schema.ts'
import { type Rule } from './rule.ts'

/** Copies have names that a server takes, each its own, and operations draw no others. */
export const copiesRule: Rule = {
  name: 'copies',
  reads: ['data', 'phases'],
  check(spec, report) {
    for (const [i, dataSet] of spec.data.entries()) validateNames(dataSet, ['data', i, 'copies'], spec, report)
    for (const { method, path } of methodsWithPaths(spec))
      if (isDrawn(method)) validateDrawn(method, path, spec.data, report)
  },
}

const maxDatabaseBytes = 63

function validateNames(dataSet: DataSetSpec, path: Path, { name, data }: Spec, report: Report): void {
  if (dataSet.copies === undefined) return
  let isWhole = true
  const copies = listCopies(dataSet, (at, reason) => {
    isWhole = false
    report([...path, ...at], reason)
  })
  if (!isWhole) return
  const others = new Set(
    data.flatMap((other) => (other === dataSet ? [] : [...(mapCopies(other)?.keys() ?? [other.collection])])),
  )
  const seen = new Set<string>()
  for (const [copy, { collection, beside }] of copies) {
    const database = `${toDatabaseName(name)}_${beside}`
    const [finding] = collectFindings(collectionName, collection).findings
    if (finding !== undefined) return report(path, `"${collection}" ${finding.reason}`)
    if (beside !== undefined && (!/^[\w-]+$/.test(beside) || database.length > maxDatabaseBytes))
      return report(path, `"${database}" is not a name that a database can have`)
    if (seen.has(copy)) return report(path, `"${copy}" is the name of several copies: make it of {"@var": "copy"}`)
    if (others.has(copy)) return report(path, `"${copy}" is a collection of another data set too`)
    seen.add(copy)
  }
}

/** Compares the names that calls may draw: they are known where they are made of texts and of ranges of whole numbers. */
function validateDrawn(addressed: Addressed, path: Path, data: readonly DataSetSpec[], report: Report): void {
  const { collection, database, let: given = {} } = addressed
  const [dataSet, other] = listNamedSets(addressed, data)
  if (dataSet === undefined || other !== undefined) return
  const copies = mapCopies(dataSet)
  const names = listEdges(collection ?? dataSet.collection, given)
  const databases = database === undefined ? [undefined] : listEdges(database, given)
  const drawn = names?.flatMap((name) => databases?.map((beside) => nameCopy(name, beside)) ?? [])
  const unknown = drawn?.find((name) => !copies?.has(name))
  if (unknown !== undefined)
    report(
      [...path, collection === undefined ? 'database' : 'collection'],
      `may draw "${unknown}", and "data" creates no such collection: those of "${dataSet.collection}" are ${describeCopies(dataSet)}`,
    )
}
