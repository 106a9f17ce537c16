import { deserialize, type Document } from 'bson'

/** Types as they were sent. */
const exact = { promoteValues: false, bsonRegExp: true, validation: { utf8: false as const } }

/** Decodes a document of a client or a server. Undefined: it is not BSON. */
export function decodeUntrusted(bytes: Uint8Array): Document | undefined {
  try {
    return deserialize(bytes, exact)
  } catch {
    return undefined
  }
}
