import { type Json, type Path } from '../src/core/json.ts'
import { type RowSource } from '../src/language/generators/generator.ts'
import { compileBoth } from '../src/language/values/compile.ts'
import { createDrawContext } from '../src/language/values/draw-context.ts'
import { createCounter } from '../src/language/values/scope.ts'
import { BsonWriter } from '../src/protocol/bson/writer.ts'
import { FoldBudget } from '../src/spec/fold/fold-budget.ts'
import { fold } from '../src/spec/fold/fold.ts'
import { Parameters } from '../src/spec/fold/parameters.ts'

type Options = {
  readonly seed?: number
  readonly place?: string
  readonly inRow?: boolean
  /** Rows of the collection "rows", whose `_id` is the number of the row. */
  readonly rows?: number
  readonly parameters?: Readonly<Record<string, Json>>
}

const fail = (reason: string): never => {
  throw new Error(reason)
}

const report = (path: Path, reason: string): never => fail(`${path.join('.')}: ${reason}`)

/** Folds and compiles a value. What is wrong with it throws. */
export function compileJson(node: Json, { parameters = {}, ...options }: Options = {}) {
  const folded = foldJson(node, parameters)
  return { folded, ...compileFolded(folded, options) }
}

/** Folds a value. What is wrong with it throws. */
export function foldJson(node: Json, parameters: Readonly<Record<string, Json>> = {}): Json {
  const definitions = Object.entries(parameters).map(
    ([name, value]) => [name, { node: value, path: ['parameters', name] }] as const,
  )
  const context = {
    parameters: new Parameters(new Map(definitions)),
    origins: new WeakMap(),
    report,
    budget: new FoldBudget(),
  }
  return fold({ node, path: [] }, context).node
}

/** Compiles a value without folding it first. What is wrong with it throws. */
export function compileFolded(
  folded: Json,
  { seed = 1, place = 'here', inRow = true, rows = 1000 }: Omit<Options, 'parameters'> = {},
) {
  let next = rows
  let ticks = 0
  const source: RowSource = {
    collection: 'rows',
    isUnknown: false,
    rowsGivenOut: () => rows,
    rowsAnswered: () => next,
    ownUpTo: (row: number) => row,
    fieldOf: () => ({ draw: ({ n }) => n, write: ({ n }, out) => out.value(n) }),
    documentOf: (row) => ({ _id: row, name: `row ${row}` }),
    numbers: () => ({ next: () => next, take: () => next++ }),
    samples: () => Array.from({ length: 100 }, (_, i) => `sampled ${i}`),
  }
  const { draw, write } = compileBoth(folded, {
    seed,
    place,
    path: [],
    inRow,
    call: {
      workers: 4,
      now: () => new Date(1_700_000_000_000 + ticks++),
      memory: { names: ['order'], read: () => undefined },
    },
    rows: () => source,
    counter: createCounter,
    report,
    variables: new Map(),
  })
  const drawContext = createDrawContext()

  /** The value of a row or call, and what it added to the drawContext. */
  function at(n: number, lane = 0): { readonly value: unknown; readonly bytes: number; readonly hash: number } {
    drawContext.n = n
    drawContext.lane = lane
    drawContext.bytes = 0
    drawContext.hash = 0
    const value = draw(drawContext)
    return { value, bytes: drawContext.bytes, hash: drawContext.hash }
  }

  /** The value of a row or call as the only field of a document, called "value", and what it added to the hash. */
  function written(n: number, lane = 0): { readonly bytes: Uint8Array; readonly hash: number } {
    const out = new BsonWriter(64)
    drawContext.n = n
    drawContext.lane = lane
    drawContext.hash = 0
    const start = out.beginDocument()
    const typeAt = out.beginElement('value')
    const type = write(drawContext, out)
    out.bytes[typeAt] = type
    out.endDocument(start)
    return { bytes: out.bytes.subarray(0, out.at), hash: drawContext.hash }
  }

  return {
    at,
    written,
    draw: (n: number, lane = 0): unknown => at(n, lane).value,
    /** The values of the first rows. */
    first: (count: number): unknown[] => Array.from({ length: count }, (_, n) => at(n).value),
  }
}
