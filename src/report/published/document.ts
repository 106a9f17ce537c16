import { z } from 'zod'
import { sameText } from './same-text.ts'

const title = z.string().min(1)
const cell = z.union([z.number(), z.string(), z.null()])
/** A day, or a month if the day is unknown. */
const date = z.union([z.iso.date(), z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/)])

const table = z
  .strictObject({ title, columns: z.array(title).min(2), rows: z.array(z.array(cell)).min(1) })
  .refine(({ columns, rows }) => rows.every((row) => row.length === columns.length), 'a row has a cell for each column')

const differ = (titled: readonly { readonly title: string }[]): boolean =>
  titled.every((one) => titled.filter((other) => sameText(one.title, other.title)).length === 1)

const section = z.strictObject({
  title,
  /** The hardware of its figures, as far as it differs between sections. */
  hardware: z.string(),
  /** How this copy differs from the document. */
  note: z.string().optional(),
  tables: z.array(table).min(1).refine(differ, 'tables of a section have different titles'),
})

/** A file of `fixtures/reference/`: the figures of a published document. Null: an empty cell. */
export const publishedDocument = z.strictObject({
  /** The date is absent if unknown. */
  source: z.strictObject({ title, author: title, version: title.optional(), date: date.optional() }),
  /** The hardware of all figures. */
  hardware: z.string(),
  /** The meaning of headings that mean something else in this project. */
  headings: z.record(title, z.string()).default({}),
  /** Cores of the servers by their instance types. */
  vCpus: z.record(title, z.int().positive()).default({}),
  sections: z.array(section).min(1).refine(differ, 'sections have different titles'),
})

/** A published document. */
export type PublishedDocument = z.output<typeof publishedDocument>
/** A cell of a published table. */
export type PublishedCell = z.output<typeof cell>
