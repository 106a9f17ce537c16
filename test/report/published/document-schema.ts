import { z } from 'zod'
import { type PublishedDocument, sameText } from '../../../src/spec/published/match.ts'

const title = z.string().min(1)
/** A day, or a month if the day is unknown. */
const date = z.union([z.iso.date(), z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/)])

const table = z
  .strictObject({
    title,
    columns: z.array(title).min(2),
    rows: z.array(z.array(z.union([z.number(), z.string(), z.null()]))).min(1),
  })
  .refine(({ columns, rows }) => rows.every((row) => row.length === columns.length), 'a row has a cell for each column')

const differ = (titled: readonly { readonly title: string }[]): boolean =>
  titled.every((one) => titled.filter((other) => sameText(one.title, other.title)).length === 1)

const section = z.strictObject({
  title,
  hardware: z.string(),
  note: z.string().exactOptional(),
  tables: z.array(table).min(1).refine(differ, 'tables of a section have different titles'),
})

/** What a file of `fixtures/reference/` must be. */
export const publishedDocument: z.ZodType<PublishedDocument> = z.strictObject({
  source: z.strictObject({ title, author: title, version: title.exactOptional(), date: date.exactOptional() }),
  hardware: z.string(),
  headings: z.record(title, z.string()),
  vCpus: z.record(title, z.int().positive()).exactOptional(),
  sections: z.array(section).min(1).refine(differ, 'sections have different titles'),
})
