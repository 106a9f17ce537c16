import { type Json, type Path, isObject } from '../../core/json.ts'
import { asExpression, readsVariable } from '../../language/expression.ts'
import type { RowNumbers, RowSource } from '../../language/generators/generator.ts'
import { valueAt } from '../../language/interpret.ts'
import { type Report, suggestion } from '../../language/issues.ts'
import { compileBoth } from '../../language/values/compile.ts'
import { unshared } from '../../language/values/constant.ts'
import {
  type CompiledValue,
  type DrawBudget,
  type DrawContext,
  createDrawContext,
  writeDrawn,
} from '../../language/values/draw-context.ts'
import { compileLet } from '../../language/values/let.ts'
import { type ValueScope, createCounter } from '../../language/values/scope.ts'
import type { Namespace } from '../../load/engines/intent.ts'
import { type DataSetNumbers, createRowNumbers } from '../../load/plan/row-numbers.ts'
import type { BsonWriter } from '../../protocol/bson/writer.ts'
import type { DataSetSpec } from '../schema/data-schema.ts'
import { readNamespace } from '../schema/namespace.ts'

/** Settings for compiling a row of the spec. */
export type CompileContext = {
  readonly seed: number
  readonly report: Report
  /** Maximum cost of values that are only tried. */
  readonly budget?: DrawBudget | undefined
  /** All data sets of the row: documents may hold keys of the others. Default: they may not. */
  readonly data?: readonly DataSetSpec[]
  /** Fields of other data sets that are compiled because the next one refers to it. */
  readonly chain?: readonly string[]
}

export type Built = { readonly document: Record<string, unknown>; readonly bytes: number }

/** Documents of a collection by their row number, and the counter that gives the numbers out: none is ever given out twice. */
export type DataSet = {
  readonly spec: DataSetSpec
  /** Database and name of the collection. */
  readonly namespace: Namespace
  /** Its collections by their names, where it has several; its namespace is that of the first then. */
  readonly several: ReadonlyMap<string, Namespace> | undefined
  /** Builds the document of a row, a new object each time. Undefined when the spec defines no documents. */
  readonly documentOf: ((row: number) => Built) | undefined
  /** Writes the document of a row, from its length to its end. Undefined where there is no `documentOf`. */
  readonly writeDocument: ((row: number, out: BsonWriter) => void) | undefined
  /** Compiles the value at a path of a document. Undefined where the spec does not define it. */
  readonly fieldOf: (path: string) => CompiledValue | undefined
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
  const { document, collection } = spec
  const place = `data.${collection}.document`
  /** A scope for one part: what it refers to must not lead back to it. */
  const scopeOf = (part: string, at: Pick<ValueScope, 'place' | 'path' | 'variables'>): ValueScope => ({
    ...at,
    seed: context.seed,
    inRow: true,
    call: undefined,
    rows: (of, report) => rowsOfOther(of, { ...context, chain: [...(context.chain ?? []), part] }, report),
    report: context.report,
    budget: context.budget,
    counter: createCounter,
  })
  const names = new Set(Object.keys(spec.let ?? {}))
  const makeLet = once(() => {
    const part = `${collection}.let`
    const isCircle = context.chain?.includes(part) === true
    if (isCircle) context.report(path, `"let" refers to itself: ${[...(context.chain ?? []), part].join(' → ')}`)
    const scope = scopeOf(part, { place: `data.${collection}`, path, variables: new Map() })
    return compileLet(isCircle ? {} : (spec.let ?? {}), scope)
  })
  function compile(node: Json, part: string, at: Pick<ValueScope, 'place' | 'path'>): CompiledValue {
    const readsLet = readsVariable(node, names)
    // Of one that is only referred to, no more is compiled than must be.
    const variables = readsLet || context.chain === undefined ? makeLet().scope.variables : new Map<string, number>()
    const compiled = compileBoth(node, scopeOf(part, { ...at, variables }))
    return readsLet ? afterLet(makeLet().evaluate, compiled) : compiled
  }
  const inDocument: Path = [...path, 'document']
  const whole = once(() => compile(document ?? null, `${collection}.document`, { place, path: inDocument }))
  if (context.chain === undefined) {
    makeLet()
    if (document !== undefined) whole()
  }
  const several =
    spec.collections && new Map(spec.collections.map((name) => [name, { database: undefined, collection: name }]))
  const [first = { database: undefined, collection }] = several?.values() ?? []
  return {
    spec,
    namespace: readNamespace(spec.existing ?? '') ?? first,
    several,
    ...(document === undefined ? noDocuments : documentBuilder(whole)),
    fieldOf(field) {
      const found = document === undefined ? undefined : findField(document, field.split('.'))
      if (found === undefined) return undefined
      const { node, steps, rest } = found
      const at = { place: [place, ...steps].join('.'), path: [...inDocument, ...steps] }
      return reachInto(compile(node, `${collection}.${field}`, at), rest)
    },
    numbers,
    samples: (at) => samples.get(at),
    keepSamples: (at, values) => void samples.set(at, values),
  }
}

/** Calls a function when its value is first asked for, and keeps that. */
function once<Value extends object>(make: () => Value): () => Value {
  let made: Value | undefined
  return () => (made ??= make())
}

/** The rows of a data set, to whose documents those of another one refer. */
function rowsOfOther(
  of: string | undefined,
  context: CompileContext,
  report: (reason: string) => void,
): RowSource | undefined {
  const { data = [], chain = [] } = context
  const i = data.findIndex((other) => other.collection === of)
  const other = data[i]
  if (!other) {
    report(
      of === undefined
        ? 'documents of data sets cannot draw rows: they are made before any row is known'
        : `there is no collection "${of}" in "data"${suggestion(
            of,
            data.map((one) => one.collection),
          )}`,
    )
    return undefined
  }
  const dataSet = createDataSet(other, ['data', i], context)
  const source = rowSource(dataSet, other.rows, () => {
    report('documents of data sets cannot take new rows of others')
    return dataSet.numbers
  })
  const refuseCircle = (part: string): boolean => {
    const isCircle = chain.includes(`${other.collection}.${part}`)
    if (isCircle) report(`refers to itself: ${[...chain, `${other.collection}.${part}`].join(' → ')}`)
    return isCircle
  }
  return {
    ...source,
    fieldOf: (field) => (refuseCircle(field) ? nothing : source.fieldOf(field)),
    documentOf: source.documentOf && ((row) => (refuseCircle('document') ? {} : (source.documentOf?.(row) ?? {}))),
  }
}

/** Value in the place of one that has been reported. */
const nothing: CompiledValue = { draw: () => null, write: (_, out) => out.value(null) }

/** The value at a path in what is drawn. */
function reachInto(whole: CompiledValue, steps: readonly string[]): CompiledValue {
  if (steps.length === 0) return whole
  const draw: CompiledValue['draw'] = (drawContext) => valueAt(whole.draw(drawContext), steps)
  return { draw, write: writeDrawn(draw) }
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

function documentBuilder(whole: () => CompiledValue): Pick<DataSet, 'documentOf' | 'writeDocument'> {
  const drawContext = createDrawContext()
  return {
    documentOf(row) {
      drawContext.n = row
      drawContext.bytes = 0
      return { document: unshared(whole().draw(drawContext)) as Record<string, unknown>, bytes: drawContext.bytes }
    },
    writeDocument(row, out) {
      drawContext.n = row
      whole().write(drawContext, out)
    },
  }
}

type Found = { readonly node: Json; readonly steps: readonly string[]; readonly rest: readonly string[] }

/** The value at a path of a document, or the expression that makes it and the path in what it makes. */
function findField(document: Json, path: readonly string[]): Found | undefined {
  const { keyword, argument } = asExpression(document) ?? {}
  const isFiller = keyword === '@filler' && isObject(argument)
  // A document that is drawn whole may have any field.
  if (keyword !== undefined && !isFiller) return { node: document, steps: [], rest: path }
  const [first = '', ...others] = path
  const [fields, steps] = isFiller ? [argument['fields'], ['@filler', 'fields', first]] : [document, [first]]
  return isObject(fields) ? descend(fields[first], others, steps) : undefined
}

function descend(node: Json | undefined, path: readonly string[], steps: readonly string[]): Found | undefined {
  const [step, ...rest] = path
  if (step !== undefined && isObject(node) && !asExpression(node)) return descend(node[step], rest, [...steps, step])
  return node === undefined ? undefined : { node, steps, rest: path }
}

/** Returns a phase's view of a data set: the rows that had been given out when the phase began, and the counter. */
export function rowSource(dataSet: DataSet, rowsGivenOut: number, numbers: () => RowNumbers): RowSource {
  const { spec, documentOf, fieldOf, samples } = dataSet
  return {
    collection: spec.collection,
    isUnknown: spec.existing !== undefined && documentOf === undefined,
    rowsGivenOut: () => rowsGivenOut,
    rowsAnswered: dataSet.numbers.answered,
    ownUpTo: dataSet.numbers.ownUpTo,
    fieldOf,
    // One that cannot be built is reported at its place in the spec.
    documentOf: documentOf && ((row) => documentOf(row).document ?? {}),
    numbers,
    samples,
  }
}
