import { z } from 'zod'
import { type BsonDocument } from '../values/bson-types.ts'
import { valueBytes } from '../values/size-and-hash.ts'
import { defineGenerator } from './generator.ts'
import { createRowPicker, pickedOrGiven, rowFields } from './pick-row.ts'

const flag = z.union([z.literal(0), z.literal(1), z.boolean()])

export const document = defineGenerator({
  keyword: '@document',
  summary: "A row's document, as the data set makes it: drawn from a distribution or given by its number.",
  args: z
    .strictObject({
      ...rowFields,
      project: z
        .record(z.string().min(1), flag)
        .refine(
          (fields) => new Set(Object.values(fields).map(Boolean)).size <= 1,
          'names fields to keep (1) or to leave out (0), not both',
        )
        .optional()
        .describe('Top-level fields to keep (all 1) or to leave out (all 0). Default: the whole document.'),
    })
    .refine(...pickedOrGiven),
  example: { distribution: 'uniform', count: 1000 },
  countsItself: true,
  compile({ project = {}, ...given }, context) {
    const rows = context.rows(given.of)
    const pick = rows && createRowPicker(given, context)
    if (rows && !rows.documentOf)
      context.report(`the data set "${rows.collection}" has no "document", so its documents are unknown`)
    const documentOf = rows?.documentOf
    if (!pick || !documentOf) return () => null
    const keep = projection(project)
    return (drawContext) => {
      const { bytes } = drawContext
      const number = pick(drawContext)
      const made = keep(documentOf(number))
      drawContext.bytes = bytes + valueBytes(made)
      return made
    }
  },
})

function projection(project: Readonly<Record<string, 0 | 1 | boolean>>): (whole: BsonDocument) => BsonDocument {
  const names = new Set(Object.keys(project))
  if (names.size === 0) return (whole) => whole
  const keepsNamed = Object.values(project).every(Boolean)
  return (whole) => Object.fromEntries(Object.entries(whole).filter(([name]) => names.has(name) === keepsNamed))
}
