import { z } from 'zod'
import { type Json } from '../json.ts'
import { value } from '../language/value-place.ts'
import { isNumber, toNumber } from '../values/bson-types.ts'
import { mixIn } from '../random.ts'
import { newMoment } from '../values/moment.ts'
import { valueBytes } from '../values/size.ts'
import { defineGenerator, type GeneratorContext } from './generator.ts'
import { createPicker, pickFields } from './pick-row.ts'
import { type Picker } from './distributions/distribution.ts'

const args = z
  .strictObject({ ...pickFields, row: value.optional().describe('The number of the row, instead of drawing one.') })
  .refine(
    ({ row, distribution, count, first }) =>
      row === undefined || (distribution === undefined && count === undefined && first === 0),
    '"row" says which row: "distribution", "first" and "count" have nothing to do',
  )

function createRowPicker(given: z.output<typeof args>, context: GeneratorContext): Picker | undefined {
  if (given.row === undefined) return createPicker(given, context)
  return rowNumber(given.row as Json, context)
}

/** The number of a row that the spec gives as a value. */
export function rowNumber(row: Json, context: GeneratorContext): Picker {
  const draw = context.value(row, 'row')
  return (moment) => {
    const drawn = draw(moment)
    return isNumber(drawn) ? toNumber(drawn) : 0
  }
}

export const key = defineGenerator({
  word: '@key',
  summary: 'The `_id` of a row, drawn from a distribution or given by its number.',
  args,
  example: { distribution: 'uniform', count: 1000 },
  countsItself: true,
  compile(given, context) {
    const rows = context.rows(given.of)
    const pick = rows && createRowPicker(given, context)
    if (rows && !rows.idOf)
      context.report(
        `the documents of "${rows.collection}" do not say what their "_id" is, so no key is known; give them one, such as {"@row": {}}, or draw real ones with @sample`,
      )
    const draw = rows?.idOf?.()
    if (!pick || !draw) return () => null
    const ofRow = newMoment()
    const isDrawnHere = given.row === undefined
    return (moment) => {
      const { bytes } = moment
      ofRow.n = pick(moment)
      const id = draw(ofRow)
      moment.bytes = bytes + valueBytes(id)
      // A row that the spec names is in the digest with whatever drew it.
      if (isDrawnHere) moment.hash = mixIn(moment.hash, ofRow.n)
      return id
    }
  },
})
