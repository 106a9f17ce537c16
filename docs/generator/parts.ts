import { type Field } from './fields.ts'
import { code, linkTo, paragraphs, toAnchor } from './markdown.ts'
import { type Page, type ReadText } from './page.ts'
import { type Section } from './sections.ts'

/** The pages of a reference in parts, whose links lead to the page that has their heading. */
export const splitPages = (
  pages: readonly Omit<Page, 'render'>[],
  renderParts: (read: ReadText) => readonly string[],
): readonly Page[] =>
  pages.map((page, at) => ({
    ...page,
    render: (read) => {
      const texts = renderParts(read)
      const homes = new Map(
        texts.flatMap((text, of) => listAnchors(text).map((anchor) => [anchor, pages[of]?.file ?? ''])),
      )
      return (texts[at] ?? '').replaceAll(/\]\(#([^)]+)\)/g, (link, anchor: string) => {
        const home = homes.get(anchor) ?? page.file
        return home === page.file ? link : `](${home}#${anchor})`
      })
    },
  }))

const listAnchors = (text: string): readonly string[] =>
  [...text.replaceAll(/^```[\s\S]*?^```/gm, '').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => toAnchor(heading))

/** Sections whose common fields have a section of their own. */
export type SharedFields = { readonly shared: Section; readonly own: readonly (Section & { readonly also: string })[] }

/** Moves the fields that several sections have alike into one section, and names them in the others. */
export function shareFields(sections: readonly Section[], title: string, minSections: number): SharedFields {
  const counts = new Map<string, { readonly field: Field; count: number }>()
  for (const field of sections.flatMap(({ fields }) => fields)) {
    const entry = counts.get(JSON.stringify(field))
    if (entry === undefined) counts.set(JSON.stringify(field), { field, count: 1 })
    else entry.count += 1
  }
  const byCount = [...counts.values()].filter(({ count }) => count >= minSections).toSorted((a, b) => b.count - a.count)
  const fields = new Map<string, Field>()
  for (const { field } of byCount) if (!fields.has(field.name)) fields.set(field.name, field)
  const isShared = (field: Field): boolean => JSON.stringify(fields.get(field.name)) === JSON.stringify(field)
  const own = sections.map((section) => ({
    ...section,
    fields: section.fields.filter((field) => !isShared(field)),
    also: nameShared(section.fields.filter(isShared), title),
  }))
  return { shared: { title, intro: '', fields: [...fields.values()] }, own }
}

const nameShared = (fields: readonly Field[], title: string): string =>
  fields.length === 0 ? '' : `${linkTo(title, 'Shared')}: ${fields.map(({ name }) => code(name)).join(', ')}.`

/** A list of the pages of a reference. */
export const listParts = (pages: readonly Omit<Page, 'render'>[]): string =>
  paragraphs(pages.map(({ file, title, summary }) => `- [${title}](${file}): ${summary}`).join('\n'))
