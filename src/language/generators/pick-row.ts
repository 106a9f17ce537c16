import { z } from 'zod'
import { type Json } from '../../core/json.ts'
import { mixIn } from '../../core/random.ts'
import { value } from '../value-schema.ts'
import { byValue, isNumber, toNumber } from '../values/bson-types.ts'
import { valueBytes } from '../values/size-and-hash.ts'
import { type Picker } from './distributions/distribution.ts'
import {
  createDistributionPicker,
  createGrowingPicker,
  distributions,
  distributionSpec,
} from './distributions/index.ts'
import { defineGenerator, type GeneratorContext } from './generator.ts'

/** Arguments of all generators that pick a row. */
const pickFields = {
  of: z.string().optional().describe('Collection whose rows to pick from. Default: the only one.'),
  distribution: distributionSpec
    .optional()
    .describe(
      `The name, or {"kind": name, …} with its own arguments. ${distributions.map(({ kind, summary }) => `"${kind}": ${summary}`).join(' ')} Default "uniform".`,
    ),
  first: z.int().min(0).default(0).describe('First row of the range. Default 0.'),
  count: z
    .int()
    .min(1)
    .optional()
    .describe(
      'Number of rows in the range. Default: all rows from `first` on that existed when the phase began; those that follow inserts, such as "latest", go up to the newest whose insert has ended.',
    ),
}

const args = z.strictObject(pickFields)

type PickArguments = z.output<typeof args>

/** Picks rows by the arguments, and adds them to the digest. Undefined, with a report, where the data set has no rows to pick from. */
function createPicker(
  { of, distribution = { kind: 'uniform' }, first, count }: PickArguments,
  context: GeneratorContext,
): Picker | undefined {
  const rows = context.rows(of)
  if (!rows) return undefined
  const range = count ?? rows.rowsGivenOut() - first
  if (range < 1) {
    const way = rows.documentOf
      ? 'give it "rows", or a phase that inserts before this one'
      : 'it has no "document"; give a "count", or draw values that are in it with "@sample"'
    context.report(
      `there are no rows of "${rows.collection}" to pick from${first > 0 ? `, beginning with row ${first}` : ''}: ${way}`,
    )
    return undefined
  }
  const pick = createDistributionPicker(distribution, range, context.stream(), context.counter)
  const follow = count === undefined ? createGrowingPicker(distribution, range, context.stream()) : undefined
  return (drawContext) => {
    // In the digest is the draw by the range at the beginning: which row is the newest depends on how fast the calls are.
    const drawn = first + pick(drawContext)
    drawContext.hash = mixIn(drawContext.hash, drawn)
    return follow ? rows.ownUpTo(first + follow(drawContext, rows.rowsAnswered() - first)) : drawn
  }
}

export const pickRow = defineGenerator({
  keyword: '@pickRow',
  summary: 'The number of a row, drawn from a distribution.',
  args,
  example: { distribution: 'zipfian', count: 1000 },
  countsItself: true,
  compile(given, context) {
    const pick = createPicker(given, context)
    return (drawContext) => {
      const number = byValue(pick?.(drawContext) ?? 0)
      drawContext.bytes += valueBytes(number)
      return number
    }
  },
})

/** Arguments of generators that pick a row, or take its number as an argument. */
export const rowFields = {
  ...pickFields,
  row: value.optional().describe('The number of the row, instead of drawing one.'),
}

/** Arguments of a generator that picks a row, or takes its number. */
export type RowArguments = PickArguments & { readonly row?: Json | undefined }

/** For `refine`: a row is picked, or given by its number. */
export const pickedOrGiven = [
  ({ row, distribution, count, first }: RowArguments): boolean =>
    row === undefined || (distribution === undefined && count === undefined && first === 0),
  '"row" gives the number of the row: leave out "distribution", "first" and "count"',
] as const

/** Picks rows by the arguments. Undefined, with a report, where the data set has no rows. A given number adds to the digest by itself. */
export function createRowPicker(given: RowArguments, context: GeneratorContext): Picker | undefined {
  return given.row === undefined ? createPicker(given, context) : givenRow(given.row, context)
}

function givenRow(row: Json, context: GeneratorContext): Picker {
  const { draw } = context.value(row, 'row')
  return (drawContext) => {
    const drawn = draw(drawContext)
    return isNumber(drawn) ? toNumber(drawn) : 0
  }
}
