import { z } from 'zod'
import { newMoment } from '../values/moment.ts'
import { valueBytes } from '../values/size.ts'
import { defineGenerator } from './generator.ts'
import { createRowPicker, drawnOrTold, rowFields } from './row-picker.ts'

export const key = defineGenerator({
  word: '@key',
  summary: 'The `_id` of a row, drawn from a distribution or given by its number.',
  args: z.strictObject(rowFields).refine(...drawnOrTold),
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
    return (moment) => {
      const { bytes } = moment
      ofRow.n = pick(moment)
      const id = draw(ofRow)
      moment.bytes = bytes + valueBytes(id)
      return id
    }
  },
})
