import { z } from 'zod'
import { createDrawContext } from '../values/draw-context.ts'
import { valueBytes } from '../values/size-and-hash.ts'
import { defineGenerator, type Generated, type GeneratorContext } from './generator.ts'
import { createRowPicker, pickedOrGiven, type RowArguments, rowFields } from './pick-row.ts'

export const key = defineGenerator({
  keyword: '@key',
  summary: 'The `_id` of a row, drawn from a distribution or given by its number.',
  args: z.strictObject(rowFields).refine(...pickedOrGiven),
  example: { distribution: 'uniform', count: 1000 },
  countsItself: true,
  compile: (given, context) => drawField('_id', given, context),
})

/** Draws the value at a path of a row's document. */
export function drawField(field: string, given: RowArguments, context: GeneratorContext): Generated {
  const rows = context.rows(given.of)
  const pick = rows && createRowPicker(given, context)
  const value = rows?.fieldOf(field)
  if (rows && !value)
    context.report(
      `the documents of "${rows.collection}" have no "${field}" in the spec, so ${field === '_id' ? 'no key' : 'no value of it'} is known; give them one, such as {"@row": {}}, or draw real ones with @sample`,
    )
  if (!pick || !value) return () => null
  const ofRow = createDrawContext()
  return {
    draw(drawContext) {
      const { bytes } = drawContext
      ofRow.n = pick(drawContext)
      const drawn = value.draw(ofRow)
      drawContext.bytes = bytes + valueBytes(drawn)
      return drawn
    },
    write(drawContext, out) {
      ofRow.n = pick(drawContext)
      return value.write(ofRow, out)
    },
  }
}
