import { isSchema, type Schema } from '../schema/share-schemas.ts'
import { code, table } from './markdown.ts'

/** A field of an object, as a reader sees it. */
export type Field = {
  readonly name: string
  readonly type: string
  /** "required", the default in words or as JSON, or empty for a field that may be left out. */
  readonly standard: string
  readonly meaning: string
}

/** One sentence of a description says the default, by a habit of this project; it has a column of its own here. */
const defaultSentence = /\s*\bDefault:?\s+(?<said>\S.*?)(?:\.$|\.(?=\s+[A-Z])|$)/s

/** The fields of an object. A `kind` that can be one word only is in the heading already. */
export function fieldsOf(schema: Schema, typeOf: (field: Schema, name: string) => string): readonly Field[] {
  const required = new Set((schema['required'] ?? []) as readonly string[])
  const properties = isSchema(schema['properties']) ? schema['properties'] : {}
  return Object.entries(properties).flatMap(([name, field]) =>
    !isSchema(field) || (name === 'kind' && field['const'] !== undefined)
      ? []
      : [{ name, type: typeOf(field, name), ...described(field, required.has(name)) }],
  )
}

function described(field: Schema, isRequired: boolean): Pick<Field, 'standard' | 'meaning'> {
  const text = String(field['description'] ?? '')
  const said = defaultSentence.exec(text)?.groups?.['said']
  const meaning = text.replace(defaultSentence, '').trim()
  if (said !== undefined) return { standard: said, meaning }
  if (field['default'] !== undefined && field['default'] !== null)
    return { standard: code(JSON.stringify(field['default'])), meaning }
  return { standard: isRequired ? 'required' : '', meaning }
}

export const fieldTable = (fields: readonly Field[]): string =>
  table(
    ['Field', 'Type', 'Default', 'Meaning'],
    fields.map(({ name, type, standard, meaning }) => [code(name), type, standard, meaning]),
  )
