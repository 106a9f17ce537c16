import { FieldReader } from './field-reader.ts'
import { MalformedBson, bsonType, int32At } from './types.ts'

/** Maximum nesting depth of BSON. */
const maxDepth = 200

/** One for each depth: a document is read while the one around it is. */
const readers: FieldReader[] = []

/**
 * Checks that the lengths in a document of foreign origin fit into each other, so that nothing that reads it afterwards is
 * led out of it.
 * @param end Where it must end.
 * @throws {MalformedBson} with what does not fit.
 */
export function checkDocument(bytes: Buffer, start: number, end: number, depth = 0): void {
  if (depth > maxDepth) throw new MalformedBson(`values nested deeper than ${maxDepth} levels`)
  const reader = (readers[depth] ??= new FieldReader()).open(bytes, start, end)
  while (reader.next()) {
    const from = innerDocument(reader)
    if (from !== undefined) checkDocument(bytes, from, reader.end, depth + 1)
  }
}

/** The offset of the document in a value, at whose end it must end. Undefined: there is none. */
function innerDocument({ bytes, type, start, end }: FieldReader): number | undefined {
  if (type === bsonType.document || type === bsonType.array) return start
  if (type !== bsonType.codeWithScope) return undefined
  const codeBytes = int32At(bytes, start + 4)
  return codeBytes > 0 ? start + 8 + codeBytes : end
}
