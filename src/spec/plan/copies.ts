import { isObject, type Json } from '../../core/json.ts'
import { asExpression } from '../../language/expression.ts'
import { type Report } from '../../language/issues.ts'
import { compileValue } from '../../language/values/compile.ts'
import { createDrawContext } from '../../language/values/draw-context.ts'
import { child, createCounter, type ValueScope } from '../../language/values/scope.ts'
import { type Namespace } from '../../load/engines/intent.ts'
import { type CollectionName } from '../operations/operation.ts'
import { type DataSetSpec } from '../schema/data-schema.ts'

/** A collection of a data set in copies, with the name that operations have for it. */
export type Copy = readonly [name: string, Namespace]

/** The collections of a data set in copies, by the names that operations have for them. */
export type Copies = ReadonlyMap<string, Namespace>

/** The name that operations have for a copy, database and all. No name has a slash in it. */
export const nameCopy = (collection: string, database?: string): string =>
  database === undefined ? collection : `${database}/${collection}`

const known = new WeakMap<DataSetSpec, Copies>()

/** Maps the copies of a data set. Undefined: it has one collection, of its own name. */
export function mapCopies(spec: DataSetSpec): Copies | undefined {
  if (spec.copies === undefined) return undefined
  const found = known.get(spec) ?? new Map(listCopies(spec, () => {}))
  known.set(spec, found)
  return found
}

/** Counts the copies of a data set. 0: it has one collection of its own name. */
export const countCopies = ({ copies = 0 }: DataSetSpec): number => (typeof copies === 'number' ? copies : copies.count)

/** Lists the copies of a data set as they are named, valid or not. @param report Of what is wrong, by its path in "copies". */
export function listCopies(spec: DataSetSpec, report: Report): readonly Copy[] {
  const { collection, database } = typeof spec.copies === 'object' ? spec.copies : {}
  const scope = scopeOfNames(report)
  const numbered: Json = { '@concat': [spec.collection, { '@var': 'copy' }] }
  const ownName = collection ?? (database === undefined ? numbered : spec.collection)
  const drawCollection = compileValue(ownName, child(scope, 'collection'))
  const drawDatabase = database === undefined ? () => undefined : compileValue(database, child(scope, 'database'))
  const drawContext = createDrawContext()
  return Array.from({ length: countCopies(spec) }, (_, copy) => {
    drawContext.n = copy
    drawContext.variables[0] = copy
    const name = String(drawCollection(drawContext))
    const drawn = drawDatabase(drawContext)
    const beside = drawn === undefined ? undefined : String(drawn)
    return [nameCopy(name, beside), { database: undefined, beside, collection: name }]
  })
}

/** Names the copies of a data set: "tenant0 … tenant99". */
export function describeCopies(spec: DataSetSpec): string {
  const names = [...(mapCopies(spec)?.keys() ?? [])]
  return names.length > 3 ? `${names[0]} … ${names.at(-1)}` : names.join(', ')
}

/** Names are functions of the number of the copy alone. */
const scopeOfNames = (report: Report): ValueScope => ({
  seed: 0,
  place: 'copies',
  path: [],
  inRow: false,
  call: undefined,
  rows: (_of, refuse) => void refuse('a name is made before there are rows'),
  report,
  counter: createCounter,
  variables: new Map([['copy', 0]]),
})

/** The fields of an operation that name its collection. */
export type Addressed = {
  readonly collection?: CollectionName | undefined
  readonly database?: CollectionName | undefined
  readonly let?: Readonly<Record<string, unknown>> | undefined
}

/** Whether the collection of an operation is drawn for every call. */
export const isDrawn = ({ collection, database }: Addressed): boolean => isObject(collection) || isObject(database)

/** Lists the data sets whose collections an operation may work on. One that names no collection works on the only one. */
export function listNamedSets(addressed: Addressed, data: readonly DataSetSpec[]): readonly DataSetSpec[] {
  const { collection, database, let: given = {} } = addressed
  if (collection === undefined && database === undefined) return data.slice(0, 1)
  const inDatabase = database === undefined ? '' : `${createPattern(database, given)}/`
  const pattern = new RegExp(`^${inDatabase}${collection === undefined ? '.*' : createPattern(collection, given)}$`)
  return data.filter((spec) => {
    const copies = mapCopies(spec)
    if (copies === undefined) return spec.collection === collection && database === undefined
    return [...copies.keys()].some((name) => pattern.test(name))
  })
}

/** The data sets' own names for the collections that an operation may work on; a name that none has as it is. */
export function listNames(addressed: Addressed, data: readonly DataSetSpec[]): readonly string[] {
  const found = listNamedSets(addressed, data)
  if (found.length > 0) return found.map(({ collection }) => collection)
  return typeof addressed.collection === 'string' ? [addressed.collection] : []
}

/** A regular expression that all texts match that an expression may draw. */
function createPattern(node: Json, given: Given): string {
  if (typeof node === 'string' || typeof node === 'number') return escape(String(node))
  const { keyword, argument = null } = asExpression(node) ?? {}
  if (keyword === '@var' && given[String(argument)] !== undefined) {
    const { [String(argument)]: read, ...others } = given
    return createPattern(read as Json, others)
  }
  if (keyword === '@concat' && Array.isArray(argument))
    return (argument as readonly Json[]).map((part) => createPattern(part, given)).join('')
  if (keyword === '@choice' && isObject(argument) && Array.isArray(argument['values']))
    return `(?:${(argument['values'] as readonly Json[]).map((part) => createPattern(part, given)).join('|')})`
  return keyword !== undefined && ranges.has(keyword) ? String.raw`-?\d+` : '[^/]*'
}

const escape = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

const ranges: ReadonlySet<string> = new Set(['@int', '@long'])

type Given = Readonly<Record<string, unknown>>

/** More names are not compared one by one. */
const maxEdges = 1000

/** The texts that an expression may draw, of a range its two ends. Undefined: they are not known before it is drawn. */
export function listEdges(node: Json, given: Given): readonly string[] | undefined {
  if (typeof node === 'string' || typeof node === 'number') return [String(node)]
  const { keyword, argument = null } = asExpression(node) ?? {}
  if (keyword === '@var') {
    const { [String(argument)]: read, ...others } = given
    return read === undefined ? undefined : listEdges(read as Json, others)
  }
  if (keyword === '@choice' && isObject(argument) && Array.isArray(argument['values'])) {
    const found = (argument['values'] as readonly Json[]).map((item) => listEdges(item, given))
    return found.every((texts) => texts !== undefined) ? found.flat() : undefined
  }
  if (keyword !== undefined && ranges.has(keyword) && isObject(argument)) {
    const { min, max } = argument
    return typeof min === 'number' && typeof max === 'number' ? [String(min), String(max)] : undefined
  }
  if (keyword !== '@concat' || !Array.isArray(argument)) return undefined
  return (argument as readonly Json[]).reduce<readonly string[] | undefined>(
    (before, part) => {
      const texts = listEdges(part, given)
      const made = texts && before?.flatMap((start) => texts.map((end) => start + end))
      return made !== undefined && made.length <= maxEdges ? made : undefined
    },
    [''],
  )
}
