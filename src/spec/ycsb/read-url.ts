import { type JsonObject } from '../../core/json.ts'
import { leftOut, ownUrl } from './url.ts'
import { type Workload } from './workload.ts'

/** Settings that the MongoDB binding takes from `mongodb.url` and the properties next to it, without the address. */
export type Connection = {
  readonly database: string
  readonly writeConcern: JsonObject | undefined
  readonly readPreference: string | undefined
  readonly readConcern: string | undefined
  /** Settings that have another effect than it seems, or none. */
  readonly remarks: readonly string[]
}

type Concern = { readonly w?: number | string; readonly j?: boolean }

/** The binding's names for write concerns. */
const writeConcerns: Readonly<Record<NonNullable<Workload['mongodb.writeConcern']>, Concern>> = {
  errors_ignored: { w: 0 },
  unacknowledged: { w: 0 },
  acknowledged: { w: 1 },
  journaled: { j: true },
  replica_acknowledged: { w: 2 },
  majority: { w: 'majority' },
}

/** Reads database and concerns. What the URL has goes before the other properties, as in the binding. */
export function readConnection(workload: Workload): Connection {
  const { database, options } = workload['mongodb.url'] ?? ownUrl
  const { journal, j = journal, w, wtimeoutMS, readPreference, readConcernLevel } = options
  const { 'mongodb.writeConcern': concern, 'mongodb.readPreference': preference } = workload
  const given = concern === undefined ? {} : writeConcerns[concern]
  const givenPreference = preference?.replace(/_([a-z])/, (_, letter: string) => letter.toUpperCase())
  const url = workload['mongodb.url'] === undefined ? "YCSB's own URL" : 'mongodb.url'
  const hides = (property: string, option: string, ofUrl: unknown, own: unknown): readonly string[] =>
    ofUrl === undefined || own === undefined || ofUrl === own
      ? []
      : [
          `${property} has no effect, as in YCSB, because ${url} has ${option}=${String(ofUrl)}: put it into mongodb.url`,
        ]
  return {
    database,
    writeConcern: toWriteConcern(w ?? given.w, j ?? given.j, wtimeoutMS),
    readPreference: readPreference ?? givenPreference,
    readConcern: readConcernLevel,
    remarks: [
      ...hides('mongodb.writeConcern', 'w', w, given.w),
      ...hides('mongodb.writeConcern', 'journal', j, given.j),
      ...hides('mongodb.readPreference', 'readPreference', readPreference, givenPreference),
      ...leftOut(options).map(
        (name) => `mongodb.url: ${name} is left out: only concerns and the mode of the read preference are imported`,
      ),
    ],
  }
}

function toWriteConcern(
  w: number | string | undefined,
  journal: boolean | undefined,
  wtimeoutMS: number | undefined,
): JsonObject | undefined {
  if (w === undefined && journal === undefined) return undefined
  return {
    w: w ?? 1,
    ...(journal !== undefined && { j: journal }),
    ...(wtimeoutMS !== undefined && { wtimeoutMS }),
  }
}
