import { z } from 'zod'
import { createDrawContext } from '../values/draw-context.ts'
import { valueBytes } from '../values/size-and-hash.ts'
import { defineGenerator } from './generator.ts'
import { createRowPicker, pickedOrGiven, rowFields } from './pick-row.ts'

/** The generator `@key`. */
export const key = defineGenerator({
  keyword: '@key',
  summary: 'The `_id` of a row, drawn from a distribution or given by its number.',
  args: z.strictObject(rowFields).refine(...pickedOrGiven),
  example: { distribution: 'uniform', count: 1000 },
  countsItself: true,
  compile(given, context) {
    const rows = context.rows(given.of)
    const pick = rows && createRowPicker(given, context)
    if (rows && !rows.idOf)
      context.report(
        `the documents of "${rows.collection}" have no "_id" in the spec, so no key is known; give them one, such as {"@row": {}}, or draw real ones with @sample`,
      )
    const id = rows?.idOf?.()
    if (!pick || !id) return () => null
    const ofRow = createDrawContext()
    return {
      draw(drawContext) {
        const { bytes } = drawContext
        ofRow.n = pick(drawContext)
        const drawn = id.draw(ofRow)
        drawContext.bytes = bytes + valueBytes(drawn)
        return drawn
      },
      write(drawContext, out) {
        ofRow.n = pick(drawContext)
        return id.write(ofRow, out)
      },
    }
  },
})
