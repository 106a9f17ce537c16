import { z } from 'zod'
import { value } from '../../language/value-schema.ts'

const count = z.int().min(1).max(100_000)

/** Schema of the number of collections that a data set has, and of their names. */
export const copiesSchema = z
  .union([
    count,
    z
      .strictObject({
        count: count.describe('Number of collections, 1 to 100000.'),
        collection: value
          .optional()
          .describe(
            'Name of a copy, an expression over its number `{"@var": "copy"}`, from 0. Default: the name of the data set, with the number behind it unless "database" tells copies apart.',
          ),
        database: value
          .optional()
          .describe(
            'Name that operations use for the database of a copy, an expression over its number. Its real name has that of the database of the spec in front. Default: the database of the spec.',
          ),
      })
      .meta({ title: 'Copies' }),
  ])
  .describe(
    'Number of collections that hold the rows, each all of them: `tenant0`, `tenant1`, … of "tenant". They are loaded at the same time; a row that a call inserts is in one of them. Operations name one, or draw the name: `{"@concat": ["tenant", {"@int": {"min": 0, "max": 99}}]}`. 1 to 100000. Default: one collection with the name of the data set.',
  )
