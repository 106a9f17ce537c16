/** The types of the columns of a CSV file. */
export const columnTypes = [
  'auto',
  'string',
  'int',
  'long',
  'double',
  'decimal',
  'boolean',
  'date',
  'objectId',
  'uuid',
  'skip',
] as const

/** A type of a column of a CSV file. */
export type ColumnType = (typeof columnTypes)[number]
