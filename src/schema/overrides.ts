import { type Json } from '../json.ts'
import { type GuardedKey } from '../values/keys.ts'

/** A server that others run, under the name that rows and tables show. */
export type NamedServer = {
  readonly name: string
  /** The variable that has its URI: MONGO_PERF_URI_<NAME>. */
  readonly uriFrom: string
  /** What is known about it. Default: nothing. */
  readonly facts?: Readonly<Record<string, Json>>
}

/** What the command line changes about a spec. */
export type Overrides = {
  readonly profile?: string | undefined
  readonly set?: Readonly<Record<string, Json>> | undefined
  /** Rows to run: "name=value" or a label. Default: all. */
  readonly only?: readonly string[] | undefined
  /** Run on a server that exists, whatever target the spec names. */
  readonly existing?: boolean | undefined
  /** Run on each of these servers, whatever target the spec names: `server` becomes its outer parameter. Default: none. */
  readonly servers?: readonly NamedServer[] | undefined
  /** Collections that we did not make, as "database.collection", and that may be written to all the same. Default: none. */
  readonly allowWrites?: readonly string[] | undefined
  /** Words of the server that run code or write to collections, of those that the spec lists in its own "allow". Default: none. */
  readonly allow?: readonly GuardedKey[] | undefined
  /** Whether a server that others run may be made to step down, where the faults of the spec say so. Default false. */
  readonly allowStepDown?: boolean | undefined
  /** What must hold, on top of what the spec says: "findOne.p99Ms < 5". */
  readonly thresholds?: readonly string[] | undefined
  /** Whether the run ends with the first row that misses a threshold, whatever the spec says. Default false. */
  readonly abortOnThreshold?: boolean | undefined
}
