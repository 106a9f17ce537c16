import { type Json, pathText } from '../../src/core/json.ts'
import { type RowSource } from '../../src/language/generators/generator.ts'
import { compileValue } from '../../src/language/values/compile.ts'
import { createDrawContext } from '../../src/language/values/draw-context.ts'
import { toJson } from '../../src/language/values/extended-json.ts'
import { createCounter } from '../../src/language/values/scope.ts'

/** The seed of all values on the pages. */
export const seed = 42

/** Number of documents of the example collection. */
export const rowsOfExamples = 1000

const rows: RowSource = {
  collection: 'things',
  isUnknown: false,
  rowsGivenOut: () => rowsOfExamples,
  rowsAnswered: () => rowsOfExamples,
  ownUpTo: (row) => row,
  fieldOf: () => ({ draw: ({ n }) => n, write: ({ n }, out) => out.value(n) }),
  documentOf: (row) => ({ _id: row, name: `thing ${row}` }),
  numbers: () => ({ next: () => rowsOfExamples, take: () => 0 }),
  samples: () => ['Berlin', 'Hanoi', 'Lima', 'Lagos', 'Osaka'],
}

/** The first values of an expression, drawn for documents (`inRow`) or for operations. */
export function drawFirst(expression: Json, count: number, inRow: boolean): readonly Json[] {
  let next = rowsOfExamples
  let tick = 0
  const source: RowSource = { ...rows, numbers: () => ({ next: () => next, take: () => next++ }) }
  const draw = compileValue(expression, {
    seed,
    place: `example ${JSON.stringify(expression)}`,
    path: [],
    inRow,
    call: {
      workers: 4,
      now: () => new Date(Date.UTC(2026, 0, 1, 12, 0, 0, tick++)),
      memory: { names: ['order'], read: () => undefined },
    },
    rows: () => source,
    counter: createCounter,
    report(path, reason) {
      throw new Error(`The example ${JSON.stringify(expression)} is wrong: ${pathText(path)}: ${reason}`)
    },
    variables: new Map(),
  })
  const moment = createDrawContext()
  return Array.from({ length: count }, (_, n) => {
    moment.n = n
    return toJson(draw(moment))
  })
}
