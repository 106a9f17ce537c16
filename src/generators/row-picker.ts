import { type Json } from '../json.ts'
import { value } from '../language/value-place.ts'
import { isNumber, toNumber } from '../values/bson-types.ts'
import { type Picker } from './distributions/distribution.ts'
import { type GeneratorContext } from './generator.ts'
import { createPicker, type PickArguments, pickFields } from './pick-row.ts'

/** Arguments of what picks a row, or is told which one. */
export const rowFields = {
  ...pickFields,
  row: value.optional().describe('The number of the row, instead of drawing one.'),
}

type RowArguments = PickArguments & { readonly row?: Json | undefined }

/** For `refine`: a row is drawn or told. */
export const drawnOrTold = [
  ({ row, distribution, count, first }: RowArguments): boolean =>
    row === undefined || (distribution === undefined && count === undefined && first === 0),
  '"row" says which row: "distribution", "first" and "count" have nothing to do',
] as const

/** Picks rows as the arguments say; undefined when there is no such data set. A row that the spec names is in the digest with whatever drew it. */
export function createRowPicker(given: RowArguments, context: GeneratorContext): Picker | undefined {
  return given.row === undefined ? createPicker(given, context) : toldRow(given.row, context)
}

function toldRow(row: Json, context: GeneratorContext): Picker {
  const draw = context.value(row, 'row')
  return (moment) => {
    const drawn = draw(moment)
    return isNumber(drawn) ? toNumber(drawn) : 0
  }
}
