export type Schema = { readonly [keyword: string]: unknown }

export const isSchema = (node: unknown): node is Schema =>
  typeof node === 'object' && node !== null && !Array.isArray(node)

/** Applies a function to every schema right inside of one, with the name of the property that leads there. */
export function mapSchemas(schema: Schema, change: (inner: Schema, name?: string) => Schema): Schema {
  const changed: Record<string, unknown> = { ...schema }
  for (const keyword of ['properties', '$defs']) {
    if (isSchema(schema[keyword]))
      changed[keyword] = Object.fromEntries(
        Object.entries(schema[keyword]).map(([name, inner]) => [name, change(inner as Schema, name)]),
      )
  }
  for (const keyword of ['items', 'additionalProperties'])
    if (isSchema(schema[keyword])) changed[keyword] = change(schema[keyword])
  for (const keyword of ['anyOf', 'oneOf', 'allOf'])
    if (Array.isArray(schema[keyword])) changed[keyword] = (schema[keyword] as Schema[]).map((inner) => change(inner))
  return changed
}

/** Shorter than this, a schema says itself better than a reference to it. */
const worthSharing = 60

/** From here on, an object is easier to read by itself. */
const worthNaming = 400

/**
 * Writes schemas that stand in several places once, under `$defs`, and large objects there too. They are named by their
 * kind, else by the first property that they describe.
 */
export function shareSchemas(root: Schema): Schema {
  const shared = repeatedIn(root)
  const names = new Map<string, string>()
  const defs: Record<string, Schema> = { ...(root['$defs'] as Record<string, Schema> | undefined) }

  function refer(schema: Schema, name = 'part'): Schema {
    const text = JSON.stringify(schema)
    const isOwn = shared.has(text) || (isSchema(schema['properties']) && text.length >= worthNaming)
    if (!isOwn) return mapSchemas(schema, (inner, property) => refer(inner, property ?? name))
    const known = names.get(text) ?? unusedName(kindOf(schema) ?? name, defs)
    if (!names.has(text)) {
      names.set(text, known)
      defs[known] = schema
      defs[known] = mapSchemas(schema, (inner, property) => refer(inner, property ?? name))
    }
    return { $ref: `#/$defs/${known}` }
  }

  const { $defs, ...rest } = root
  const own = Object.entries(($defs ?? {}) as Record<string, Schema>)
  for (const [name, schema] of own) defs[name] = mapSchemas(schema, (inner, property) => refer(inner, property ?? name))
  return { ...mapSchemas(rest, refer), $defs: defs }
}

function kindOf(schema: Schema): string | undefined {
  const kind = isSchema(schema['properties']) ? schema['properties']['kind'] : undefined
  return isSchema(kind) && typeof kind['const'] === 'string' ? kind['const'] : undefined
}

/** Texts of the schemas that stand in more than one place, apart from those that only stand in others that do. */
function repeatedIn(root: Schema): ReadonlySet<string> {
  const seen = new Set<string>()
  const repeated = new Set<string>()
  function count(schema: Schema): Schema {
    const text = JSON.stringify(schema)
    if (seen.has(text) && text.length >= worthSharing) repeated.add(text)
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
