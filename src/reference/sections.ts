import { isSchema, type Schema } from '../schema/share-schemas.ts'
import { type Field, fieldsOf, fieldTable } from './fields.ts'
import { linkTo, paragraphs } from './markdown.ts'
import { typeText } from './type-text.ts'

/** An object of the language: its fields under a heading of their own. */
export type Section = { readonly title: string; readonly intro: string; readonly fields: readonly Field[] }

type Walk = {
  /** Heading of an object that is found at a path such as `phases[].load`. */
  readonly titleOf: (path: string) => string
  /** Parts that another page describes: what is said in place of their type. */
  readonly elsewhere?: ((path: string) => string | undefined) | undefined
}

export type Sections = {
  /** Fields of an object, those of the objects inside of it in further sections. */
  readonly fieldsOf: (schema: Schema, path: string) => readonly Field[]
  /** The sections that were found so far, each object once, however often it stands in the schema. */
  readonly found: () => readonly Section[]
}

/** Walks objects of a JSON Schema and collects those that need a section. */
export function createSections({ titleOf, elsewhere }: Walk): Sections {
  const sections: Section[] = []
  const titles = new Map<string, string>()

  function fields(schema: Schema, path: string): readonly Field[] {
    const listed = fieldsOf(schema, (field, name) => {
      const place = within(path, name)
      return elsewhere?.(place) ?? typeText(field, place, link)
    })
    return listed.map((field) => (elsewhere?.(within(path, field.name)) === undefined ? field : briefly(field)))
  }

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
    // What the field says of its only object stands where the field does.
    const intro = member === undefined ? '' : String(description ?? '')
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

/** What another page describes is told there. */
const briefly = (field: Field): Field => ({ ...field, meaning: firstSentence(field.meaning) })

const firstSentence = (text: string): string => text.split(/(?<=\.)\s+(?=["A-Z])/)[0] ?? ''

/** What tells an object from the others of its union: its kind, or else the first field that it must have. */
function memberName({ properties, required }: Schema): string {
  const kind = isSchema(properties) ? properties['kind'] : undefined
  if (isSchema(kind) && typeof kind['const'] === 'string') return kind['const']
  return String(((required ?? []) as readonly string[])[0] ?? 'object')
}

export const renderSection = ({ title, intro, fields }: Section, level: '##' | '###' | '####'): string =>
  paragraphs(`${level} ${title}`, intro, fieldTable(fields))
