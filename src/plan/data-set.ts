import { type RowSource } from '../generators/generator.ts'
import { isObject, type Json, type Path } from '../json.ts'
import { type DataSetSpec } from '../spec/data-schema.ts'
import { asExpression } from '../spec/expression.ts'
import { compileValue } from '../values/compile.ts'
import { unshared } from '../values/constant.ts'
import { type Draw, newMoment } from '../values/moment.ts'
import { type Report, type ValueScope } from '../values/scope.ts'

/** What compiling needs to know about the row of the spec that it works for. */
export type CompileContext = {
  readonly seed: number
  readonly report: Report
}

/** Documents of a collection by their row number, and the counter that gives the numbers out: none is ever given out twice. */
export type DataSet = {
  readonly spec: DataSetSpec
  /** Builds the document of a row, a new object each time. Undefined when the spec says nothing of documents. */
  readonly documentOf:
    | ((row: number) => { readonly document: Record<string, unknown>; readonly bytes: number })
    | undefined
  readonly idOf: (() => Draw) | undefined
  /** The number that will be given out next. */
  readonly nextRow: () => number
  readonly takeRow: () => number
  /** Gives out so many rows at once, to nobody. */
  readonly skipRows: (count: number) => void
}

export function createDataSet(spec: DataSetSpec, path: Path, context: CompileContext): DataSet {
  let next = spec.rows
  const scope: ValueScope = {
    seed: context.seed,
    place: `data.${spec.collection}.document`,
    path: [...path, 'document'],
    inRow: true,
    rows: (_of, report) => {
      report('documents of data sets cannot draw rows: they are made before any row is known')
      return undefined
    },
    report: context.report,
    variables: new Map(),
  }
  const id = spec.document === undefined ? undefined : findId(spec.document as Json)
  return {
    spec,
    documentOf: spec.document === undefined ? undefined : documentBuilder(spec.document as Json, scope),
    idOf:
      id &&
      (() =>
        compileValue(id.node, {
          ...scope,
          place: [scope.place, ...id.steps].join('.'),
          path: [...scope.path, ...id.steps],
        })),
    nextRow: () => next,
    takeRow: () => next++,
    skipRows: (count) => void (next += count),
  }
}

function documentBuilder(node: Json, scope: ValueScope): NonNullable<DataSet['documentOf']> {
  const draw = compileValue(node, scope)
  const moment = newMoment()
  return (row) => {
    moment.n = row
    moment.bytes = 0
    return { document: unshared(draw(moment)) as Record<string, unknown>, bytes: moment.bytes }
  }
}

/** The expression of the `_id`: in the document itself, or among the own fields of a filler. */
function findId(document: Json): { readonly node: Json; readonly steps: readonly string[] } | undefined {
  const expression = asExpression(document)
  if (expression?.word === '@filler' && isObject(expression.argument)) {
    const fields = expression.argument['fields']
    const node = isObject(fields) ? fields['_id'] : undefined
    return node === undefined ? undefined : { node, steps: ['@filler', 'fields', '_id'] }
  }
  const node = isObject(document) ? document['_id'] : undefined
  return node === undefined ? undefined : { node, steps: ['_id'] }
}

/** What keys and pickers of a phase see of a data set: the rows that had been given out when the phase began. */
export function rowSource(dataSet: DataSet, rowsGivenOut: number): RowSource {
  return { collection: dataSet.spec.collection, rowsGivenOut: () => rowsGivenOut, idOf: dataSet.idOf }
}
