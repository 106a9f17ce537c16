import { Problem } from '../../core/errors.ts'
import { suggestion } from '../../language/issues.ts'
import { type IndexKey } from './comparison.ts'
import { keyOf, reasonAgainst, usualName } from './indexes.ts'
import { findPlace } from './places.ts'
import { type FoundIndex, namespaceOf, type CollectionProfile } from './collection-profile.ts'
import { type Shape } from './shape.ts'

/** The compared indexes in the form in which the server lists indexes, whether they exist or not. */
export function comparedIndexes(profile: CollectionProfile, keys: readonly IndexKey[]): readonly FoundIndex[] {
  return keys.map((key) => {
    const fields = Object.entries(key)
    const reason = fields.length === 1 && fields[0]?.[0] === '_id' ? reservedId : reasonAgainst(fields, profile.shape)
    if (reason !== undefined) throw cannotCompare(key, reason, profile)
    const found = profile.indexes.find((index) => JSON.stringify(keyOf(index)) === JSON.stringify(fields))
    return found ?? { name: usualName(fields), key, default_language: 'english' }
  })
}

const reservedId = 'every collection has the index on "_id"'

function cannotCompare(key: IndexKey, reason: string, profile: CollectionProfile): Problem {
  const unknown = Object.keys(key).find((field) => !findPlace(profile.shape, field))
  const near = unknown === undefined ? '' : suggestion(unknown, pathsIn(profile.shape))
  return new Problem('usage', `--index ${JSON.stringify(key)} cannot be compared: ${reason}${near}`, {
    hint: `Name fields of ${namespaceOf(profile)}; --sample looks at more documents.`,
  })
}

/** Every path that an index can name. */
const pathsIn = ({ object, array }: Shape): readonly string[] => [
  ...[...(object?.fields ?? [])].flatMap(([name, shape]) =>
    [name].concat(pathsIn(shape).map((path) => `${name}.${path}`)),
  ),
  ...(array ? pathsIn(array.element) : []),
]
