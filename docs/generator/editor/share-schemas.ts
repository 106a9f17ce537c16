/** A JSON Schema. */
export type Schema = { readonly [keyword: string]: unknown }

/** Whether a node of a JSON Schema is an object, such as a schema. */
export const isSchema = (node: unknown): node is Schema =>
  typeof node === 'object' && node !== null && !Array.isArray(node)

/** Applies a function to every direct subschema, with the name of its property. */
export function mapSchemas(schema: Schema, change: (inner: Schema, name?: string) => Schema): Schema {
  const changed: Record<string, unknown> = { ...schema }
  for (const keyword of ['properties', '$defs']) {
    if (isSchema(schema[keyword]))
      changed[keyword] = Object.fromEntries(
        Object.entries(schema[keyword]).map(([name, inner]) => [name, change(inner as Schema, name)]),
      )
  }
  for (const keyword of ['items', 'additionalProperties', 'else'])
    if (isSchema(schema[keyword])) changed[keyword] = change(schema[keyword])
  for (const keyword of ['anyOf', 'oneOf', 'allOf'])
    if (Array.isArray(schema[keyword])) changed[keyword] = (schema[keyword] as Schema[]).map((inner) => change(inner))
  return changed
}

/** A shorter schema is easier to read than a reference to it. In characters. */
const worthSharing = 47

/** A longer object is easier to read as a definition of its own. In characters. */
const worthNaming = 400

/**
 * Moves repeated schemas and large objects to `$defs`; of unions also those whose descriptions alone differ. They are named by their kind, or by the first property that they
 * describe.
 */
export function shareSchemas(root: Schema): Schema {
  const shared = repeatedIn(root)
  const names = new Map<string, string>()
  const defs: Record<string, Schema> = { ...(root['$defs'] as Record<string, Schema> | undefined) }

  function refer(schema: Schema, name = 'part'): Schema {
    const text = JSON.stringify(schema)
    const isOwn = shared.has(text) || (isSchema(schema['properties']) && text.length >= worthNaming)
    if (!isOwn) return referParts(schema, name)
    const known = names.get(text) ?? unusedName(getSchemaKind(schema) ?? name, defs)
    if (!names.has(text)) {
      names.set(text, known)
      defs[known] = schema
      defs[known] = referParts(schema, name)
    }
    return { $ref: `#/$defs/${known}` }
  }

  function referParts(schema: Schema, name: string): Schema {
    const { description, ...union } = schema
    return description !== undefined && shared.has(JSON.stringify(union))
      ? { description, ...refer(union, name) }
      : mapSchemas(schema, (inner, property) => refer(inner, property ?? name))
  }

  const { $defs, ...rest } = root
  const own = Object.entries(($defs ?? {}) as Record<string, Schema>)
  for (const [name, schema] of own) defs[name] = mapSchemas(schema, (inner, property) => refer(inner, property ?? name))
  return { ...mapSchemas(rest, refer), $defs: defs }
}

function getSchemaKind(schema: Schema): string | undefined {
  const kind = isSchema(schema['properties']) ? schema['properties']['kind'] : undefined
  return isSchema(kind) && typeof kind['const'] === 'string' ? kind['const'] : undefined
}

/** Texts of the schemas that occur more than once, except those that occur only inside of other repeated ones. */
function repeatedIn(root: Schema): ReadonlySet<string> {
  const seen = new Set<string>()
  const repeated = new Set<string>()
  function count(schema: Schema): Schema {
    const text = JSON.stringify(schema)
    const { description, ...union } = schema
    if (seen.has(text) && text.length >= worthSharing) repeated.add(text)
    // Of unions, descriptions alone may differ.
    else if (description !== undefined && 'anyOf' in union) count(union)
    else mapSchemas(schema, count)
    seen.add(text)
    return schema
  }
  mapSchemas(root, count)
  return repeated
}

function unusedName(name: string, defs: object): string {
  if (!Object.hasOwn(defs, name)) return name
  for (let n = 2; ; n++) if (!Object.hasOwn(defs, `${name}${n}`)) return `${name}${n}`
}
