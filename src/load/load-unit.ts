import { type AgentRun } from '../results/schema/agents.ts'
import { type ThreadHealth } from '../results/schema/client.ts'
import { type EvidencePart } from './evidence.ts'
import { type EndedBecause, type StopReason } from './loops/limits.ts'
import { type PhasePart } from './measure/phase-part.ts'
import { type Pass, type StopAfter } from './plan/plan.ts'
import { type PassRows } from './plan/row-numbers.ts'

/**
 * Runs one share of the load of a phase, with connections of its own, and measures its own calls: in this thread or in
 * another one. No call leaves it; it reports parts.
 */
export type LoadUnit = {
  /** How many of the equal shares of the phase it runs, one after the other in their order. */
  readonly shares: number
  /** Time for a request to reach it, in milliseconds: all units of a phase begin at the same moment. */
  readonly leadMs: number
  /** Resolves when connections for this number of workers are open. May be asked again, for more. */
  readonly connect: (workers: number) => Promise<void>
  /**
   * Makes the calls of one pass, or of one step of a search.
   * @returns How it went, for each share.
   * @param onPart Takes a part once a second, early when a call fails or documents are missing, and at the end. What it throws ends the run.
   */
  readonly run: (request: RunRequest, onPart: (part: UnitPart) => void) => Promise<readonly UnitRun[]>
  /** No further calls go out; those under way are waited for. */
  readonly stop: (reason: StopReason) => void
  /** The servers are gone: calls under way end as unknown at once. */
  readonly abandon: () => void
  /** Closes the connections, after writes that are not acknowledged have reached the server. */
  readonly close: () => Promise<void>
  /** Whatever it does, it is gone after that. */
  readonly end: () => Promise<void>
}

/** A request to a unit to run its share of a pass. */
export type RunRequest = {
  readonly pass: Pass
  readonly stopAfter: StopAfter
  /** Workers of this unit. */
  readonly workers: number
  /** First calls go out then, in the clock's milliseconds. */
  readonly startMs: number
  /** The window began then: seconds are counted from it. Later steps of a search have that of the first. */
  readonly windowStartMs: number
  /** For each data set, the first row number that may be given out. */
  readonly firstRows: readonly number[]
  /** True: the calls go on where those of the run before have ended, as in the steps of a search. */
  readonly goesOn: boolean
}

/** Data that a unit reports while it runs. */
export type UnitPart = {
  readonly recorded: PhasePart
  /** For each thing that is observed, in the order in which they were asked for. */
  readonly evidence: readonly EvidencePart[]
  /** Nothing more comes of the seconds of the window before this one. */
  readonly completeBefore: number
  /** Calls that wait for their answers. */
  readonly inFlight: number
  /** Whether it is the last one of its run. */
  readonly isLast: boolean
}

/** How the run of one share ended. */
export type UnitRun = {
  /** Time when it was ready to send: the start of its request, or later. */
  readonly beganMs: number
  readonly endedBecause: EndedBecause
  /** Time of its last answer; of an open loop the end of its plan, if that was later. */
  readonly endMs: number
  readonly digest: string
  /** Calls of this run that have ended. */
  readonly calls: number
  /** For each data set. */
  readonly rows: readonly PassRows[]
  /** Undefined: the loop is closed. */
  readonly openLoop: { readonly sentUntilMs: number; readonly peakInFlight: number } | undefined
  /** Health of its thread. Undefined: it ran in the main thread. */
  readonly health: ThreadHealth | undefined
  /** Agent that ran it. Absent: this process. */
  readonly agent?: AgentRun | undefined
  /** Counts of a load that is no work of a spec, which add up over units. Absent: it has none. */
  readonly counts?: readonly number[] | undefined
}

/** The agents of a run, each once. */
export const listRunAgents = ({ units }: { readonly units: readonly UnitRun[] }): readonly AgentRun[] => [
  ...new Set(units.flatMap(({ agent }) => agent ?? [])),
]
