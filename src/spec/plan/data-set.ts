import { isObject, type Json, type Path } from '../../core/json.ts'
import { asExpression, readsVariable } from '../../language/expression.ts'
import { type RowNumbers, type RowSource } from '../../language/generators/generator.ts'
import { type Report } from '../../language/issues.ts'
import { compileBoth } from '../../language/values/compile.ts'
import { unshared } from '../../language/values/constant.ts'
import {
  type DrawBudget,
  type CompiledValue,
  type DrawContext,
  createDrawContext,
} from '../../language/values/draw-context.ts'
import { compileLet } from '../../language/values/let.ts'
import { createCounter, type ValueScope } from '../../language/values/scope.ts'
import { type Namespace } from '../../load/engines/intent.ts'
import { createRowNumbers, type DataSetNumbers } from '../../load/plan/row-numbers.ts'
import { type BsonWriter } from '../../protocol/bson/writer.ts'
import { type DataSetSpec } from '../schema/data-schema.ts'
import { readNamespace } from '../schema/namespace.ts'
import { type Copies, mapCopies } from './copies.ts'

/** Settings for compiling a row of the spec. */
export type CompileContext = {
  readonly seed: number
  readonly report: Report
  /** Maximum cost of values that are only tried. */
  readonly budget?: DrawBudget | undefined
  /** All data sets of the row: documents may hold keys of the others. Default: they may not. */
  readonly data?: readonly DataSetSpec[]
}

/** A document with its BSON bytes. */
export type Built = { readonly document: Record<string, unknown>; readonly bytes: number }

/** Documents of a collection by their row number, and the counter that gives the numbers out: none is ever given out twice. */
export type DataSet = {
  readonly spec: DataSetSpec
  /** Database and name of the collection. */
  readonly namespace: Namespace
  /** Its collections, where it has several; its namespace is that of the first then. */
  readonly copies: Copies | undefined
  /** Builds the document of a row, a new object each time. Undefined when the spec defines no documents. */
  readonly documentOf: ((row: number) => Built) | undefined
  /** Writes the document of a row, from its length to its end. Undefined where there is no `documentOf`. */
  readonly writeDocument: ((row: number, out: BsonWriter) => void) | undefined
  readonly idOf: (() => CompiledValue) | undefined
  /** Gives out the numbers of its rows. */
  readonly numbers: DataSetNumbers
  /** Values at a path that were read from the collection. Undefined: none were read. */
  readonly samples: (path: string) => readonly unknown[] | undefined
  readonly keepSamples: (path: string, values: readonly unknown[]) => void
}

/** @param numbers Gives out the rows. Default: from `rows` of the spec on. */
export function createDataSet(
  spec: DataSetSpec,
  path: Path,
  context: CompileContext,
  numbers: DataSetNumbers = createRowNumbers(spec.rows),
): DataSet {
  const samples = new Map<string, readonly unknown[]>()
  const place = `data.${spec.collection}.document`
  const within: ValueScope = {
    seed: context.seed,
    place: `data.${spec.collection}`,
    path,
    inRow: true,
    call: undefined,
    rows: (of, report) => rowsOfOther(of, spec, context, report),
    report: context.report,
    budget: context.budget,
    counter: createCounter,
    variables: new Map(),
  }
  const { scope, evaluate } = compileLet(spec.let ?? {}, within)
  const inDocument: ValueScope = { ...scope, place, path: [...path, 'document'] }
  const { document } = spec
  const id = document === undefined ? undefined : findId(document)
  const needsLet = (node: Json): boolean => readsVariable(node, new Set(Object.keys(spec.let ?? {})))
  const compile = (node: Json, at: ValueScope): CompiledValue =>
    needsLet(node) ? afterLet(evaluate, compileBoth(node, at)) : compileBoth(node, at)
  const copies = mapCopies(spec)
  const [first = { database: undefined, collection: spec.collection }] = copies?.values() ?? []
  return {
    spec,
    namespace: readNamespace(spec.existing ?? '') ?? first,
    copies,
    ...(document === undefined ? noDocuments : documentBuilder(compile(document, inDocument))),
    idOf:
      id &&
      (() =>
        compile(id.node, {
          ...inDocument,
          place: [place, ...id.steps].join('.'),
          path: [...inDocument.path, ...id.steps],
        })),
    numbers,
    samples: (at) => samples.get(at),
    keepSamples: (at, values) => void samples.set(at, values),
  }
}

/** The rows of another data set, whose keys a document may hold. They in turn hold no keys of others. */
function rowsOfOther(
  of: string | undefined,
  { collection }: DataSetSpec,
  { data = [], ...context }: CompileContext,
  report: (reason: string) => void,
): RowSource | undefined {
  const i = data.findIndex((other) => other.collection === of && of !== collection)
  const other = data[i]
  if (other) {
    const dataSet = createDataSet(other, ['data', i], context)
    return rowSource(dataSet, other.rows, () => {
      report('documents of data sets cannot take new rows of others')
      return dataSet.numbers
    })
  }
  report('documents of data sets cannot draw rows: they are made before any row is known')
  return undefined
}

/** The same documents with numbers of their own: whoever takes rows of it takes none of the data set. */
export const withOwnNumbers = (dataSet: DataSet, first: number): DataSet => ({
  ...dataSet,
  numbers: createRowNumbers(first),
})

const afterLet = (evaluate: (drawContext: DrawContext) => void, { draw, write }: CompiledValue): CompiledValue => ({
  draw(drawContext) {
    evaluate(drawContext)
    return draw(drawContext)
  },
  write(drawContext, out) {
    evaluate(drawContext)
    return write(drawContext, out)
  },
})

const noDocuments = { documentOf: undefined, writeDocument: undefined }

function documentBuilder({ draw, write }: CompiledValue): Pick<DataSet, 'documentOf' | 'writeDocument'> {
  const drawContext = createDrawContext()
  return {
    documentOf(row) {
      drawContext.n = row
      drawContext.bytes = 0
      return { document: unshared(draw(drawContext)) as Record<string, unknown>, bytes: drawContext.bytes }
    },
    writeDocument(row, out) {
      drawContext.n = row
      write(drawContext, out)
    },
  }
}

/** The expression of the `_id`: in the document itself, or among the own fields of a filler. */
function findId(document: Json): { readonly node: Json; readonly steps: readonly string[] } | undefined {
  const expression = asExpression(document)
  if (expression?.keyword === '@filler' && isObject(expression.argument)) {
    const fields = expression.argument['fields']
    const node = isObject(fields) ? fields['_id'] : undefined
    return node === undefined ? undefined : { node, steps: ['@filler', 'fields', '_id'] }
  }
  const node = isObject(document) ? document['_id'] : undefined
  return node === undefined ? undefined : { node, steps: ['_id'] }
}

/** Returns a phase's view of a data set: the rows that had been given out when the phase began, and the counter. */
export function rowSource(dataSet: DataSet, rowsGivenOut: number, numbers: () => RowNumbers): RowSource {
  const { spec, documentOf, idOf, samples } = dataSet
  return {
    collection: spec.collection,
    isUnknown: spec.existing !== undefined && documentOf === undefined,
    rowsGivenOut: () => rowsGivenOut,
    rowsAnswered: dataSet.numbers.answered,
    ownUpTo: dataSet.numbers.ownUpTo,
    idOf,
    // One that cannot be built is reported at its place in the spec.
    documentOf: documentOf && ((row) => documentOf(row).document ?? {}),
    numbers,
    samples,
  }
}
