import { type z } from 'zod'
import { Problem } from '../../core/errors.ts'
import { indexKey } from '../../spec/schema/data-schema.ts'

/** What the variants of a spec differ in. */
export type Comparison = {
  /** Each is compared with a variant that has none of them. */
  readonly indexes: readonly IndexKey[]
  /** The others are compared with the first. Empty: the server's default. */
  readonly writeConcerns: readonly AcknowledgedBy[]
}

/** Fields of an index with their directions. */
export type IndexKey = z.output<typeof indexKey>
/** The `w` of a write concern. */
export type AcknowledgedBy = number | 'majority'

/**
 * Reads `--index` and `--write-concerns`.
 * @param writeConcerns "1,majority".
 * @returns Undefined if neither is given.
 */
export function readComparison(
  indexes: readonly string[] = [],
  writeConcerns: string | undefined,
): Comparison | undefined {
  if (indexes.length === 0 && writeConcerns === undefined) return undefined
  return {
    indexes: [...new Set(indexes)].map(readIndexKey),
    writeConcerns: [...new Set(writeConcerns?.split(',').map((text) => text.trim()))].map(readWriteConcern),
  }
}

function readIndexKey(text: string): IndexKey {
  const { data, success } = indexKey.safeParse(readJson(text))
  if (success) return data
  throw new Problem('usage', `--index ${text} is not the key of an index`, {
    hint: `Write its fields in order, as JSON in single quotes: --index '{"customer":1,"at":-1}'. Values are 1, -1, "text", "hashed", "2d" and "2dsphere".`,
  })
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function readWriteConcern(text: string): AcknowledgedBy {
  if (text === 'majority') return text
  const members = Number(text)
  if (/^\d+$/.test(text) && members <= 50) return members
  throw new Problem('usage', `--write-concerns takes numbers of members and "majority", not "${text}"`, {
    hint: 'Write --write-concerns 1,majority.',
  })
}
