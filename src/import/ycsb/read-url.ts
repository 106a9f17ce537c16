import { type JsonObject } from '../../json.ts'
import { type Workload } from './workload.ts'

/** What the MongoDB binding takes from `mongodb.url` and the properties beside it, without the address. */
export type Connection = {
  readonly database: string
  readonly writeConcern: JsonObject | undefined
  readonly readPreference: string | undefined
  readonly readConcern: string | undefined
}

/** The binding's own URL has this where the property is missing. */
const byDefault = '/ycsb?w=1'

/** The binding's names for write concerns. */
const writeConcerns = {
  errors_ignored: { w: 0 },
  unacknowledged: { w: 0 },
  acknowledged: { w: 1 },
  journaled: { j: true },
  replica_acknowledged: { w: 2 },
  majority: { w: 'majority' },
} as const satisfies Record<string, JsonObject>

/** Reads database and concerns. What the URL has goes before the other properties, as in the binding. */
export function readConnection(workload: Workload): Connection {
  const url = workload['mongodb.url'] ?? byDefault
  const [, database = '', query = ''] = /^[^?]*?\/([^/?]*)(?:\?(.*))?$/s.exec(url.replace(/^[a-z+]+:\/\//, '')) ?? []
  const options = new Map([...new URLSearchParams(query)].map(([name, value]) => [name.toLowerCase(), value] as const))
  const given = workload['mongodb.writeConcern']
  const preference = workload['mongodb.readPreference']?.replace(/_([a-z])/, (_, letter: string) =>
    letter.toUpperCase(),
  )
  return {
    database: database === '' || database === 'admin' ? 'ycsb' : database,
    writeConcern: writeConcernOf(options, given && writeConcerns[given]),
    readPreference: options.get('readpreference') ?? preference,
    readConcern: options.get('readconcernlevel'),
  }
}

function writeConcernOf(
  options: ReadonlyMap<string, string>,
  given: { readonly w?: number | string; readonly j?: boolean } = {},
): JsonObject | undefined {
  const w = options.get('w') ?? given.w
  const journal = options.get('journal') ?? options.get('j') ?? given.j
  const wtimeoutMS = options.get('wtimeoutms')
  if (w === undefined && journal === undefined) return undefined
  return {
    w: w === undefined ? 1 : /^\d+$/.test(String(w)) ? Number(w) : w,
    ...(journal !== undefined && { j: String(journal) === 'true' }),
    ...(wtimeoutMS !== undefined && { wtimeoutMS: Number(wtimeoutMS) }),
  }
}
