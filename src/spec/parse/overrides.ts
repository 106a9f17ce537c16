import { type Json } from '../../core/json.ts'
import { type GuardedKey } from '../../language/values/keys.ts'
import { type EngineKind } from '../../load/engines/engine-kinds.ts'
import { type OperationFunctions } from '../../load/engines/operation-functions.ts'
import { type OwnColumns } from '../../metrics/columns/own-column.ts'
import { type SearchQuestion } from '../plan/replace-loads.ts'

/** Changes and additions to a spec from the command line. */
export type Overrides = {
  readonly profile?: string | undefined
  /**
   * Values of parameters by their names, and of any other part of the spec by its path, such as `target.server.cacheGB`. An item of
   * a list is named by its position from 0 or by its name: `phases.0.load.workers`. Default: as the spec has them.
   */
  readonly set?: Readonly<Record<string, Json>> | undefined
  /** The engine of every phase. Default: as the spec has it for each. */
  readonly engine?: EngineKind | undefined
  /** The engine of a spec that names none for itself. Default: "driver". */
  readonly usualEngine?: EngineKind | undefined
  /** Rows to run: "name=value" or a label. Default: all. */
  readonly only?: readonly string[] | undefined
  /** Whether to run on an existing server instead of the target of the spec. Default false. */
  readonly existing?: boolean | undefined
  /** Whether every run of every row gets new servers, where they are ours. Default: as the spec has it for each target. */
  readonly freshServers?: boolean | undefined
  /** Existing collections, as "database.collection", that the spec may write to. Default: none. */
  readonly allowWrites?: readonly string[] | undefined
  /** Operators that run code and stages that write to collections; the spec must list them in "allow" too. Default: none. */
  readonly allow?: readonly GuardedKey[] | undefined
  /** Whether faults of the spec may make an existing server step down. Default false. */
  readonly allowStepDown?: boolean | undefined
  /** Thresholds in addition to those of the spec: "findOne.p99Ms < 5". Default: none. */
  readonly thresholds?: readonly string[] | undefined
  /** Whether the run ends with the first row that misses any threshold. Default: as the spec has it for each threshold. */
  readonly abortOnThreshold?: boolean | undefined
  /** A search instead of the load of the measured phase. Default: as the spec has it. */
  readonly search?: SearchQuestion | undefined
  /** Whether data files are on another machine, which loads them. Default false: they have to be here. */
  readonly filesElsewhere?: boolean | undefined
  /** The functions that operations of the kind `function` may name. Default: any name is valid. */
  readonly functions?: OperationFunctions | undefined
  /** Own columns, which the report and thresholds of the spec may name. Default: none. */
  readonly columns?: OwnColumns | undefined
}
