import { type Json } from '../core/json.ts'
import { compileBoth } from '../language/values/compile.ts'
import { createDrawContext } from '../language/values/draw-context.ts'
import { createCounter } from '../language/values/scope.ts'
import { BsonWriter } from '../protocol/bson/writer.ts'
import { type Work } from './task.ts'

/** A draw takes no longer than reading the clock does, so many are timed together. */
const drawsPerIteration = 100_000

function report(_: unknown, reason: string): never {
  throw new Error(reason)
}

/** Draws the values of documents one after the other, and writes them as BSON, as `engine: "wire"` does. */
export function drawValues(value: Json): Work {
  const place = {
    seed: 1,
    place: 'value',
    path: [],
    inRow: true,
    call: undefined,
    variables: new Map<string, number>(),
  }
  const { write } = compileBoth(value, { ...place, rows: () => undefined, counter: createCounter, report })
  const context = createDrawContext()
  const out = new BsonWriter(64)
  function iterate(): number {
    let bytes = 0
    for (const end = context.n + drawsPerIteration; context.n < end; context.n++) {
      out.at = 0
      write(context, out)
      bytes += out.at
    }
    return bytes
  }
  return { bytes: iterate(), operations: drawsPerIteration, iterate: () => void iterate() }
}

const row: Json = { '@row': {} }

/** Values of the tasks that draw them, by their names. */
export const generated: Readonly<Record<string, Json>> = {
  int: { '@int': { min: 1, max: 1_000_000 } },
  decimal: { '@decimal': { min: 1, max: 500 } },
  'object-id': { '@objectId': {} },
  string: { '@string': { length: 20 } },
  choice: { '@choice': { values: ['open', 'paid', 'sent'], weights: [1, 3, 6] } },
  array: { '@array': { size: 3, of: { '@int': { min: 1, max: 100 } } } },
  filler: { '@filler': { sizeKB: 1, fields: { _id: row } } },
}

/** Expressions of the tasks that compute them, by their names. */
export const computed: Readonly<Record<string, Json>> = {
  arithmetic: { '@multiply': [2, { '@add': [row, 1] }] },
  condition: { '@cond': [{ '@lt': [{ '@mod': [row, 10] }, 3] }, 'open', 'paid'] },
  text: { '@concat': ['customer ', row] },
}
