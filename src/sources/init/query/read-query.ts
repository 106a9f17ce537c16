import { Problem } from '../../../core/errors.ts'
import { type BsonDocument, isDocument } from '../../../language/values/bson-types.ts'
import { fromJson } from '../../../language/values/extended-json.ts'
import { parseJson } from '../../../spec/parse/parse-json.ts'
import { CannotParameterize } from '../profile/parameterize-filter.ts'
import { refuseKeys } from '../profile/parameterize-pipeline.ts'
import { type ProfiledCall, readEntry } from '../profile/profiled-call.ts'

/** A query, a pipeline or an update as options of the command line have it. */
export type QueryFlags = {
  readonly query?: string
  readonly sort?: string
  readonly limit?: number
  readonly pipeline?: string
  readonly update?: string
  readonly keep?: readonly string[]
}

/** A call of the user's program. */
export type OwnQuery = {
  readonly call: ProfiledCall
  /** Paths and operators whose values stay as they are written. */
  readonly keep: ReadonlySet<string>
}

/**
 * Reads the call that `--query`, `--sort`, `--limit`, `--pipeline` and `--update` describe.
 * @returns Undefined if none is given.
 */
export function readOwnQuery(flags: QueryFlags): OwnQuery | undefined {
  const { query, sort, limit, pipeline, update, keep } = flags
  const isRead = [query, sort, limit, pipeline].some((given) => given !== undefined)
  if (update !== undefined && query === undefined) throw withoutQuery('--update')
  if (keep !== undefined && !isRead) throw withoutQuery('--keep')
  if (!isRead) return undefined
  const call = readEntry({ ns: 'own.query', ...toEntry(flags) }, 'own')
  if (call === undefined || 'skipped' in call) throw new RangeError('A call of the command line is one of a program')
  return { call, keep: new Set(keep?.flatMap((names) => names.split(','))) }
}

/** The call as the profile of a server would have it. */
function toEntry({ query = '{}', sort, limit, pipeline, update }: QueryFlags): BsonDocument {
  const filter = readDocument('--query', query)
  if (pipeline !== undefined)
    return { op: 'command', command: { aggregate: '', pipeline: readPipeline('--pipeline', pipeline) } }
  if (update !== undefined) return { op: 'update', command: { q: filter, u: readUpdate(update) } }
  const order = sort === undefined ? undefined : readDocument('--sort', sort)
  return { op: 'query', command: { find: '', filter, sort: order, limit } }
}

const withoutQuery = (option: string): Problem =>
  new Problem('usage', `${option} needs a query`, { hint: `Add --query '{"customer":17}'.` })

function readUpdate(text: string): unknown {
  return text.trimStart().startsWith('[') ? readPipeline('--update', text) : readDocument('--update', text)
}

/** Reads a document, as JSON whose values of other types are Extended JSON. */
export function readDocument(option: string, text: string): BsonDocument {
  const value = readValue(option, text)
  if (isDocument(value)) return value
  throw new Problem('usage', `${option} takes a document, not ${text}`, { hint: quoting(option) })
}

function readPipeline(option: string, text: string): readonly unknown[] {
  const value = readValue(option, text)
  if (Array.isArray(value) && value.length > 0 && value.every(isDocument)) return value
  throw new Problem('usage', `${option} takes a list of stages, not ${text}`, {
    hint: `Write it as in the shell: ${option} '[{"$match":{"status":"open"}}]'.`,
  })
}

const quoting = (option: string): string =>
  `Write names and texts in double quotes, and the whole in single quotes: ${option} '{"status":"open"}'.`

/** Spellings of the shell, and how to write them here; the first that is found is the hint. */
const habits: readonly (readonly [habit: RegExp, hint: (option: string) => string])[] = [
  [
    /(?:""|[{,])\s*:/,
    () => 'In double quotes, the shell of the terminal replaces $gte by nothing: put the whole in single quotes.',
  ],
  [
    /\b(?:ISODate|ObjectId|Number\w+|Date|UUID|Timestamp)\s*\(/,
    () =>
      'Write values of other types as Extended JSON: {"$date":"2026-01-31T00:00:00Z"} for ISODate(…), {"$oid":"…"} for ObjectId(…), {"$numberLong":"…"} for NumberLong(…).',
  ],
  [/:\s*\/[^/]+\//, () => 'Write a regular expression as {"$regex":"^a","$options":"i"}.'],
]

/** JSON with comments and trailing commas, whose values of other types are Extended JSON. */
function readValue(option: string, text: string): unknown {
  const habit = habits.find(([written]) => written.test(text))?.[1]
  const hint = (habit ?? quoting)(option)
  const reason = habit === undefined ? 'names and texts need double quotes' : 'this is not JSON'
  try {
    const value = fromJson(parseJson(text, option).value)
    if (/(?:^|[{,])\s*""\s*:/.test(text)) throw new Problem('usage', `${option} has a field without a name`, { hint })
    refuseKeys(value)
    return value
  } catch (error) {
    if (error instanceof Problem && error.code === 'usage') throw error
    if (error instanceof CannotParameterize) throw cannotRun(option, error.message)
    const message = (error as Error).message.replace(/^"/, `${option}: "`).replace('invalid symbol', reason)
    throw new Problem('usage', `${message} in ${text}`, { hint })
  }
}

/** @param reason "they use "$where"", as notes about the calls of a profile have it. */
export function cannotRun(option: string, reason: string): Problem {
  const operator = /they use "(\$\w+)"$/.exec(reason)?.[1]
  return new Problem('usage', `${option}: such calls cannot be measured, because ${reason}`, {
    hint:
      operator === undefined
        ? 'Measure the call without it, or write it into the spec yourself.'
        : `--keep '${operator}' sends it as it is written.`,
  })
}
