import { type Json } from '../../core/json.ts'
import { type BsonDocument, isDocument } from '../../language/values/bson-types.ts'
import { literal, literalFields } from './kinds.ts'
import { CannotParameterize, parameterizeCondition, type Parameterizer } from './parameterize-filter.ts'

/** A generated value for a path: like the sample there, else like the example. */
export type DrawNew = (path: string, example: unknown) => Json

const setting: ReadonlySet<string> = new Set(['$set', '$setOnInsert', '$min', '$max'])
const adding: ReadonlySet<string> = new Set(['$push', '$addToSet', '$pull'])
/** Operators whose operands are not values of a document. */
const computing: ReadonlySet<string> = new Set(['$inc', '$mul', '$unset', '$rename', '$pop', '$currentDate', '$bit'])

/** An update whose written values are replaced by generated ones. */
export function parameterizeUpdate(update: unknown, draw: DrawNew): Json {
  if (Array.isArray(update)) return literal(update)
  const operators = Object.entries(update as BsonDocument).map(([operator, fields]): readonly [string, Json] => {
    const entries = Object.entries(fields as BsonDocument)
    if (computing.has(operator)) return [operator, literal(fields)]
    if (setting.has(operator))
      return [operator, Object.fromEntries(entries.map(([path, value]) => [path, draw(plain(path), value)]))]
    if (adding.has(operator))
      return [operator, Object.fromEntries(entries.map(([path, value]) => [path, added(plain(path), value, draw)]))]
    throw new CannotParameterize(`they use "${operator}"`)
  })
  return Object.fromEntries(operators)
}

/** Without the positions of array elements. */
const plain = (path: string): string => path.replaceAll(/\.(\$(\[\w*\])?|\d+)(?=\.|$)/g, '')

/** Array filters, whose names stand for elements at paths of the update. All lists have the same shape. */
export function parameterizeArrayFilters(
  lists: readonly (readonly BsonDocument[])[],
  update: unknown,
  parameterizer: Parameterizer,
): readonly Json[] {
  const paths = Object.values(update as BsonDocument).flatMap((fields) => Object.keys(fields as BsonDocument))
  return (lists[0] ?? []).map((filter, i) =>
    Object.fromEntries(
      Object.keys(filter).map((key) => {
        const [name = '', ...rest] = key.split('.')
        const array = paths.find((path) => path.includes(`.$[${name}]`))?.split(`.$[${name}]`)[0]
        if (array === undefined) throw new CannotParameterize(`they use "${name}" in array filters`)
        const conditions = lists.map((list) => list[i]?.[key])
        return [key, parameterizeCondition(conditions, [plain(array), ...rest].join('.'), parameterizer)]
      }),
    ),
  )
}

function added(path: string, value: unknown, draw: DrawNew): Json {
  if (!isDocument(value) || !('$each' in value)) return elementAt(path, value, draw)
  const { $each, ...rest } = value
  const each = ($each as unknown[]).map((item) => elementAt(path, item, draw))
  return { $each: each, ...literalFields(rest) }
}

const elementAt = (path: string, value: unknown, draw: DrawNew): Json => draw(`${path}.0`, value)
