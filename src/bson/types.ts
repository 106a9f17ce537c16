/** The types of BSON values that are written or read without the `bson` library. */
export const bsonType = {
  double: 0x01,
  string: 0x02,
  document: 0x03,
  array: 0x04,
  binary: 0x05,
  objectId: 0x07,
  boolean: 0x08,
  date: 0x09,
  null: 0x0a,
  int32: 0x10,
  int64: 0x12,
  decimal128: 0x13,
} as const
