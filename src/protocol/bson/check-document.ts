import { FieldReader } from './field-reader.ts'
import { MalformedBson } from './malformed.ts'
import { bsonType } from './types.ts'

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
  while (reader.next())
    if (reader.type === bsonType.document || reader.type === bsonType.array)
      checkDocument(bytes, reader.start, reader.end, depth + 1)
}
