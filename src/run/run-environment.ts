import { type Clock, systemClock } from '../core/clock.ts'
import { type Turns } from '../load/courses/course.ts'
import { bundledDriver, type LoadDriver } from '../load/engines/driver/load-driver.ts'
import { noFunctions, type RunFunctions } from '../load/engines/load-functions.ts'
import { type LoadUnit, type UnitRun } from '../load/load-unit.ts'
import { type CpuOfStarted } from '../load/measure/machine-meter.ts'
import { type PhasePlan } from '../load/plan/plan.ts'
import { toDatabaseName } from '../servers/targets/ownership.ts'
import { cpuTimesOfLent } from '../servers/targets/start/lent-target.ts'
import { type StartContext } from '../servers/targets/target.ts'
import { type PhaseOfAgents, type StartUnits } from './agents/coordinator/units-of-agents.ts'
import { createRunEvents, type RunEvents, type RunListener } from './run-events.ts'

/** A load that is no work of a spec, such as a recording: how phases are planned for it, and the units that make it. */
export type OwnLoad = {
  readonly plan: (phase: PhasePlan) => PhasePlan
  /** @param agents Starts them on agents. Undefined: they run in this process. */
  readonly units: (of: PhaseOfAgents, agents: StartUnits | undefined) => Promise<readonly LoadUnit[]>
  /** Takes what the units found in a window. */
  readonly take: (runs: readonly UnitRun[]) => void
  /** The database that is loaded, and claimed whatever its name is. Undefined: that of the spec. */
  readonly database: string | undefined
}

/** Environment that stays the same during a whole run. It is made where the run begins, and handed down as one value. */
export type RunEnvironment = RunEvents & {
  readonly clock: Clock
  /** Ends what is under way. */
  readonly signal: AbortSignal
  /** Texts that must not get into the result. */
  readonly secrets: readonly string[]
  /** Sends the calls of the load. Everything else is done with the driver of mongo-perf. */
  readonly driver: LoadDriver
  /** Functions that operations call; the spec was validated with them. */
  readonly functions: RunFunctions
  readonly cpuOfStarted: CpuOfStarted
  /** Turns of measured phases that alternate with those of another side. Undefined: each has one window. */
  readonly turns: Turns | undefined
  /** Makes the load in the place of what operations are. Undefined: operations do. */
  readonly ownLoad: OwnLoad | undefined
}

/** Parts of a run that say which database is its own. */
export type OfDatabase = {
  readonly turns?: Pick<Turns, 'side'> | undefined
  readonly ownLoad?: Pick<OwnLoad, 'database'> | undefined
}

/** The database that a run works in: two sides that take turns may do so on one server. */
export const chooseDatabase = (specName: string, { turns, ownLoad }: OfDatabase): string =>
  ownLoad?.database ?? toDatabaseName(turns === undefined ? specName : `${specName}_${turns.side}`)

/** Options of the environment of a run that are not known by how its servers start. */
export type EnvironmentOptions = {
  readonly secrets?: readonly string[]
  readonly driver?: LoadDriver | undefined
  readonly functions?: RunFunctions
  /** Default: none, and nothing is handed to them. */
  readonly listeners?: readonly RunListener[]
  readonly turns?: Turns | undefined
  readonly ownLoad?: OwnLoad | undefined
}

/**
 * Creates the environment of a run. Default: the driver of mongo-perf, no functions, no secrets.
 * @param start How its servers are started and reached.
 */
export const createRunEnvironment = (
  { signal, lent, supervisor }: Pick<StartContext, 'signal' | 'lent' | 'supervisor'>,
  {
    secrets = [],
    driver = bundledDriver(),
    functions = noFunctions,
    listeners = [],
    turns,
    ownLoad,
  }: EnvironmentOptions = {},
): RunEnvironment => ({
  clock: systemClock,
  signal,
  secrets,
  driver,
  functions,
  turns,
  ownLoad,
  cpuOfStarted: lent === undefined ? supervisor.cpuTimes : cpuTimesOfLent(lent),
  ...createRunEvents(listeners),
})
