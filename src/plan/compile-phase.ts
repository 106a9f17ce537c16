import { getOperation } from '../operations/index.ts'
import { type OperationContext, type RowTaker } from '../operations/operation.ts'
import { type OperationSpec } from '../operations/index.ts'
import { mixIn } from '../random.ts'
import { type PhaseSpec } from '../spec/phase-schema.ts'
import { suggestion } from '../spec/issues.ts'
import { type Json, type Path } from '../json.ts'
import { compileValue } from '../values/compile.ts'
import { type CallBuilder, createCallSource } from './call-source.ts'
import { type CompileContext, type DataSet, rowSource } from './data-set.ts'
import { type OperationPlan, type PhasePlan } from './plan.ts'

/**
 * Compiles a phase when it begins: pickers count the rows that have been given out by then. The warm-up's rows are not
 * among them, so that what is drawn does not depend on how long the warm-up was.
 */
export function compilePhase(
  spec: PhaseSpec,
  path: Path,
  dataSets: readonly DataSet[],
  context: CompileContext,
): PhasePlan {
  const given = new Map(dataSets.map((dataSet) => [dataSet, dataSet.nextRow()]))
  const compiled = spec.operations.map(
    (operation, i) => new OperationCompiler(operation, [...path, 'operations', i], given, context),
  )
  return {
    ...spec,
    workers: spec.load.workers,
    warmup: spec.warmup,
    deadlineMs: spec.deadlineSeconds * 1000,
    operations: compiled.map((operation) => operation.plan()),
    calls(pass) {
      const place = pass === 'measured' ? `phases.${spec.name}` : `phases.${spec.name}/${pass}`
      return createCallSource(
        compiled.map((operation) => operation.builder(place)),
        context.seed,
        place,
      )
    },
  }
}

class OperationCompiler {
  readonly #spec: OperationSpec
  readonly #path: Path
  readonly #dataSets: ReadonlyMap<DataSet, number>
  readonly #context: CompileContext
  readonly #dataSet: DataSet | undefined

  constructor(spec: OperationSpec, path: Path, dataSets: ReadonlyMap<DataSet, number>, context: CompileContext) {
    this.#spec = spec
    this.#path = path
    this.#dataSets = dataSets
    this.#context = context
    this.#dataSet = this.#find(spec.collection, (reason) =>
      context.report(spec.collection === undefined ? path : [...path, 'collection'], reason),
    )
  }

  plan(): OperationPlan {
    const { kind, method, reply, carriesDocuments } = getOperation(this.#spec.kind)
    return {
      name: nameOf(this.#spec),
      kind,
      method,
      reply,
      carriesDocuments,
      collection: this.#dataSet?.spec.collection ?? '',
    }
  }

  builder(passPlace: string): CallBuilder {
    const operation = getOperation(this.#spec.kind)
    const place = `${passPlace}.${nameOf(this.#spec)}`
    const context: OperationContext = {
      value: (part, field) => this.#value(part, field, place),
      rows: () => this.#rowTaker(),
    }
    return {
      weight: this.#spec.weight,
      documentsPerCall: operation.documentsPerCall(this.#spec as never),
      carriesDocuments: operation.carriesDocuments,
      build: operation.compile(this.#spec as never, context),
    }
  }

  #value(part: Json, field: string, place: string): ReturnType<typeof compileValue> {
    return compileValue(part, {
      seed: this.#context.seed,
      place: `${place}.${field}`,
      path: [...this.#path, field],
      inRow: false,
      rows: (of, report) => {
        const dataSet = this.#find(of ?? this.#spec.collection, report)
        return dataSet && rowSource(dataSet, this.#dataSets.get(dataSet) ?? 0)
      },
      report: this.#context.report,
      variables: new Map(),
    })
  }

  #rowTaker(): RowTaker | undefined {
    const dataSet = this.#dataSet
    const documentOf = dataSet?.documentOf
    if (!documentOf) {
      if (dataSet)
        this.#context.report(
          this.#path,
          `nothing says what to insert: give the operation or the data set "${dataSet.spec.collection}" a "document"`,
        )
      return undefined
    }
    const first = dataSet.nextRow()
    return {
      nextDocument(moment) {
        const row = dataSet.takeRow()
        const { document, bytes } = documentOf(row)
        moment.bytes += bytes
        moment.hash = mixIn(moment.hash, row - first)
        return document
      },
    }
  }

  #find(name: string | undefined, report: (reason: string) => void): DataSet | undefined {
    const all = [...this.#dataSets.keys()]
    const names = all.map((dataSet) => dataSet.spec.collection)
    if (name === undefined && all.length === 1) return all[0]
    const found = all.find((dataSet) => dataSet.spec.collection === name)
    if (!found)
      report(
        name === undefined
          ? `say which collection: there are ${names.length === 0 ? 'none in "data"' : names.join(', ')}`
          : `there is no collection "${name}" in "data"${suggestion(name, names)}`,
      )
    return found
  }
}

export const nameOf = (spec: OperationSpec): string => spec.name ?? spec.kind
