import { isSchema, type Schema } from './editor/share-schemas.ts'
import { type Field, listFields, fieldTable, describeMeaning } from './fields.ts'
import { shortenText, linkTo, paragraphs, prose } from './markdown.ts'
import { typeText } from './type-text.ts'

/** An object of the spec: its fields under a heading. */
export type Section = { readonly title: string; readonly intro: string; readonly fields: readonly Field[] }

type Walk = {
  /** Heading of an object at a path such as `phases[].load`. */
  readonly titleOf: (path: string) => string
  /** Text in place of the type, for parts that another page describes. */
  readonly elsewhere?: ((path: string) => string | undefined) | undefined
}

/** Collects the sections of a page. */
export type Sections = {
  /** Fields of an object. Objects in it get sections of their own. */
  readonly fieldsOf: (schema: Schema, path: string) => readonly Field[]
  /** The sections so far, one for each object however often it occurs in the schema. */
  readonly found: () => readonly Section[]
}

/** Creates a collector of sections, which walks the objects of a JSON Schema. */
export function createSections({ titleOf, elsewhere }: Walk): Sections {
  const sections: Section[] = []
  const titles = new Map<string, string>()

  function fields(schema: Schema, path: string): readonly Field[] {
    const listed = listFields(schema, (field, name) => {
      const place = within(path, name)
      return elsewhere?.(place) ?? typeText(field, place, link)
    })
    return listed.map((field) =>
      elsewhere?.(within(path, field.name)) === undefined && !isIntro(field) ? field : briefly(field),
    )
  }

  /** Whether the section of an object begins with the description of the field. */
  const isIntro = ({ type, meaning }: Field): boolean =>
    sections.some(({ title, intro }) => type === linkTo(title, 'object') && intro === meaning)

  function link(schema: Schema, path: string, others: readonly Schema[]): string {
    const { description, default: _, ...shape } = schema
    const identity = JSON.stringify(shape)
    const member = others.length > 1 ? memberName(schema) : undefined
    const known = titles.get(identity)
    if (known !== undefined) return linkTo(known, member ?? 'object')
    const title = unused(`${titleOf(path)}${member === undefined ? '' : `: ${member}`}`)
    titles.set(identity, title)
    const at = sections.length
    sections.push({ title, intro: '', fields: [] })
    const intro = member === undefined ? describeMeaning(schema) : String(description ?? '')
    sections[at] = { title, intro, fields: fields(schema, path) }
    return linkTo(title, member ?? 'object')
  }

  function unused(title: string): string {
    const taken = new Set(titles.values())
    for (let n = 1, name = title; ; n++, name = `${title} ${n}`) if (!taken.has(name)) return name
  }

  return { fieldsOf: fields, found: () => sections }
}

const within = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`)

/** Shortens the description of a part that has a place of its own. */
export const briefly = (field: Field): Field => ({ ...field, meaning: shortenText(field.meaning) })

/** Returns the field that distinguishes an object from others of its union: its kind, else its first required field. */
function memberName({ properties, required }: Schema): string {
  const kind = isSchema(properties) ? properties['kind'] : undefined
  if (isSchema(kind) && typeof kind['const'] === 'string') return kind['const']
  return String(((required ?? []) as readonly string[])[0] ?? 'object')
}

/** A section with its heading and table of fields. `also` names those that are described elsewhere. */
export const renderSection = (
  { title, intro, fields, also = '' }: Section & { readonly also?: string },
  level: '##' | '###' | '####',
): string => paragraphs(`${level} ${title}`, prose(intro), fieldTable(fields), also)
