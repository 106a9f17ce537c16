/** The documents of the BSON tasks. */
export const bsonShapes = {
  flat: { title: 'Flat', file: 'flat_bson.json' },
  deep: { title: 'Deep', file: 'deep_bson.json' },
  full: { title: 'Full', file: 'full_bson.json' },
} as const
/** A shape of documents. */
export type BsonShape = keyof typeof bsonShapes
