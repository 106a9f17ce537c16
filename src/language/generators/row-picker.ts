import { type Json } from '../../core/json.ts'
import { value } from '../value-schema.ts'
import { isNumber, toNumber } from '../values/bson-types.ts'
import { type Picker } from './distributions/distribution.ts'
import { type GeneratorContext } from './generator.ts'
import { createPicker, type PickArguments, pickFields } from './pick-row.ts'

/** Arguments of generators that pick a row, or take its number as an argument. */
export const rowFields = {
  ...pickFields,
  row: value.optional().describe('The number of the row, instead of drawing one.'),
}

type RowArguments = PickArguments & { readonly row?: Json | undefined }

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
