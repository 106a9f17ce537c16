import { isSchema, type Schema } from './editor/share-schemas.ts'
import { code, table } from './markdown.ts'

/** A row of a table of fields. */
export type Field = {
  readonly name: string
  readonly type: string
  /** "required", the default as text or JSON, or empty for an optional field. */
  readonly defaultText: string
  readonly meaning: string
}

/** By convention one sentence of a description states the default, which has its own column. */
const defaultSentence = /\s*\bDefault:?\s+(?<stated>\S.*?)(?:\.$|\.(?=\s+[A-Z])|$)/s

/** The fields of an object, without a constant `kind`, which is in the heading. */
export function listFields(schema: Schema, typeOf: (field: Schema, name: string) => string): readonly Field[] {
  const required = new Set((schema['required'] ?? []) as readonly string[])
  const properties = isSchema(schema['properties']) ? schema['properties'] : {}
  return Object.entries(properties).flatMap(([name, field]) =>
    !isSchema(field) || (name === 'kind' && field['const'] !== undefined)
      ? []
      : [{ name, type: typeOf(field, name), ...described(field, required.has(name)) }],
  )
}

/** The description of a field without its default. */
export const describeMeaning = (field: Schema): string => described(field, false).meaning

function described(field: Schema, isRequired: boolean): Pick<Field, 'defaultText' | 'meaning'> {
  const text = String(field['description'] ?? '')
  const stated = defaultSentence.exec(text)?.groups?.['stated']
  const meaning = text.replace(defaultSentence, '').trim()
  if (stated !== undefined) return { defaultText: stated, meaning }
  if (field['default'] !== undefined && field['default'] !== null)
    return { defaultText: code(JSON.stringify(field['default'])), meaning }
  return { defaultText: isRequired ? 'required' : '', meaning }
}

/** A table of fields with type, default and meaning. */
export const fieldTable = (fields: readonly Field[]): string =>
  table(
    ['Field', 'Type', 'Default', 'Meaning'],
    fields.map(({ name, type, defaultText, meaning }) => [code(name), type, defaultText, meaning]),
  )
