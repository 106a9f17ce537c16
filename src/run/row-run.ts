import { type Db, type MongoClient } from 'mongodb'
import { type Together } from '../load/meeting.ts'
import { type Shape } from '../metrics/scope.ts'
import { type ServerInfo } from '../results/schema/servers.ts'
import { type Sampler } from '../servers/resources/sampler.ts'
import { type SpecRow } from '../spec/fold/read-rows.ts'
import { type CompileContext, type DataSet } from '../spec/plan/data-set.ts'
import { type PhaseSpec } from '../spec/schema/phase-schema.ts'
import { type Spec } from '../spec/schema/schema.ts'
import { type StartUnits } from './agents/coordinator/units-of-agents.ts'
import { type RowChecks } from './row-checks.ts'
import { type RunEnvironment } from './run-environment.ts'
import { type Position } from './run-events.ts'
import { type PooledTarget } from './target-pool.ts'
import { type Turn } from './turns.ts'
import { type TargetWatch } from './watch-target.ts'

/** Environment of a row: that of its run, and a target that is ready. */
export type RowEnvironment = RunEnvironment &
  PooledTarget & {
    readonly at: Position
    readonly database: string
    /** Folder in which relative paths of the spec begin. */
    readonly folder: string
    /** The row that comes after this one on the same running target. */
    readonly next: SpecRow | undefined
    /** Make the load on other machines, until they are lost. Undefined: this process does. */
    readonly agents: { readonly startUnits: StartUnits; readonly lost: AbortSignal } | undefined
  }

/** A row that runs, while its data is loaded. */
export type OpenRow = RowEnvironment & {
  readonly turn: Turn<SpecRow>
  readonly spec: Spec
  readonly client: MongoClient
  readonly db: Db
  readonly watch: TargetWatch
}

/** A row whose data is loaded: what stays the same in all of its phases. */
export type RowRun = OpenRow & {
  /** The server when the row began. */
  readonly server: ServerInfo
  readonly dataSets: readonly DataSet[]
  readonly sampler: Sampler
  readonly checks: RowChecks
  readonly compile: CompileContext
  /** The addresses that thresholds may name. */
  readonly shape: Shape
  /** Thresholds that end a phase when they can no longer hold. */
  readonly aborting: readonly string[]
}

/** A load of a phase of a row that runs, usually its only one. */
export type LoadOfPhase = {
  /** The source that it was compiled from: threads and agents compile it again. */
  readonly source: PhaseSpec
  readonly dataSets: readonly DataSet[]
  readonly together: Together
  /** Aborts when the phase is to end. */
  readonly signal: AbortSignal
  /** Ends all loads of the phase: it counts as aborted. */
  readonly endPhase: () => void
}
