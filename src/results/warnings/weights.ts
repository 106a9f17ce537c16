import { type PhaseResult } from '../schema.ts'
import { type OperationResult } from '../schema/calls.ts'
import { type Warning } from '../schema/warnings.ts'
import { findStandstill } from './standstill.ts'

/** How far the figures of a row can be believed, the best first. */
export const trustLevels = ['comparable', 'unchecked', 'lower bound', 'do not compare'] as const
export type TrustLevel = (typeof trustLevels)[number]

/** Effect of a warning on the trust in a run. A remark has none. */
export type Weight =
  | { readonly level: 'remark'; readonly isEffect?: boolean; readonly harmless?: never; readonly disturbance?: never }
  | {
      readonly level: Exclude<TrustLevel, 'comparable'>
      /** Name of at most three words. */
      readonly reason: string
      /** How much of it there is, 0 to 1, shown behind the reason. */
      readonly share?: (phase: PhaseResult) => number
      /** Says by its share in percent what disturbed the run from outside: figures that depend on time are then not those of the work. Default: nothing did. */
      readonly disturbance?: (percent: string) => string
      /** Whether disturbances cause it: where there is one, it says nothing more. Default false. */
      readonly isEffect?: boolean
      /** Default: always. Otherwise it is a remark. */
      readonly applies?: (phase: PhaseResult) => boolean
      /**
       * Cases in which verdicts on repeated runs of two sides hold all the same, because their interval contains what it does: anywhere, or if the sides take turns.
       * `npm run bench -- comparisons` has the rates of false verdicts.
       */
      readonly harmless?: 'anywhere' | 'in turns'
    }

const remark: Weight = { level: 'remark' }
const effect: Weight = { level: 'remark', isEffect: true }

type Details = Omit<Extract<Weight, { readonly reason: string }>, 'level' | 'reason'>

const lowerBound = (reason: string, details: Details = {}): Weight => ({ level: 'lower bound', reason, ...details })
const notComparable = (reason: string, details: Details = {}): Weight => ({
  level: 'do not compare',
  reason,
  ...details,
})

const hasNoFaults = ({ faults }: PhaseResult): boolean => faults.length === 0

/** A few errors in a thousand calls change no figure noticeably. */
const minErrors = 0.01
/** Other processes, and other machines, that take so much change figures by more than runs differ anyway. */
export const minCpuOfOthers = 0.1
/** Agents that are missing for less of the window change no figure noticeably. */
const minLate = 0.01
/** Fewer calls than this are over before a difference between two rows could show. */
const minCalls = 100
/** A second, as reports round it: kernels count CPU time in ticks of 1 to 10 ms, and a shorter window has too few of them. */
const minSeconds = 0.95

const sum = (values: readonly number[]): number => values.reduce((one, other) => one + other, 0)
const ratio = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole)

const countFailures = ({ failed, unknown }: OperationResult): number => failed + unknown

const errorShare = ({ operations }: PhaseResult): number =>
  ratio(sum(operations.map(countFailures)), sum(operations.map((calls) => calls.ok + countFailures(calls))))

const otherLoad = (phase: PhaseResult): number =>
  Math.max(0, ...phase.otherLoad.map(({ cpuPercent }) => cpuPercent / 100))

const stolen = ({ members }: PhaseResult): number =>
  Math.max(0, ...members.map(({ totals }) => ratio(totals.hostCpuStealMs ?? 0, totals.hostCpuTotalMs ?? 0)))

const lateShare = ({ agents, wallSeconds }: PhaseResult): number =>
  ratio(Math.max(0, ...agents.map(({ startOffsetMs }) => startOffsetMs / 1000)), wallSeconds)

/** A call is one sample, however many documents it carries. */
const countCalls = ({ operations }: PhaseResult): number => sum(operations.map(({ ok }) => ok))

/** Whether a window is too short to know what other programs used meanwhile. */
export const isUnderASecond = ({ wallSeconds }: Pick<PhaseResult, 'wallSeconds'>): boolean => wallSeconds < minSeconds

const lost = ({ unacknowledged }: PhaseResult): number =>
  unacknowledged === null ? 0 : 1 - ratio(unacknowledged.arrived ?? unacknowledged.sent, unacknowledged.sent)

const standstill = (phase: PhaseResult): number => findStandstill(phase)?.share ?? 0

const dropped = ({ openLoop }: PhaseResult): number => ratio(openLoop?.dropped ?? 0, openLoop?.planned ?? 0)

/**
 * Effects on the trust in a row of every warning about it, the most important first. Warnings about steadiness and
 * length are remarks: where runs are repeated, their spread shows what they do.
 */
export const warningWeights = {
  failed: notComparable('run failed'),
  'everything-failed': notComparable('everything failed'),
  aborted: notComparable('aborted'),
  'start-up': notComparable('start-up run'),
  violated: notComparable('check violated'),
  'set-up-failed': notComparable('set-up failed'),
  'documents-missing': notComparable('documents missing'),
  'keys-not-found': notComparable('keys not found'),
  'fault-failed': notComparable('fault not injected'),
  'test-commands': notComparable('fail points'),
  errors: notComparable('errors', {
    share: errorShare,
    // Where failures are injected, errors are what is measured.
    applies: (phase) => hasNoFaults(phase) && errorShare(phase) >= minErrors,
  }),
  'stream-errors': notComparable('events missed'),
  'member-restarted': notComparable('server restarted', { applies: hasNoFaults }),
  'not-cached': notComparable('not cached'),
  'not-uncached': notComparable('cached'),
  'other-load': notComparable('other programs', {
    share: otherLoad,
    applies: (phase) => otherLoad(phase) >= minCpuOfOthers,
    harmless: 'in turns',
    disturbance: (percent) => `other programs used ${percent} of the CPU`,
  }),
  'cpu-stolen': notComparable('CPU stolen', {
    share: stolen,
    applies: (phase) => stolen(phase) >= minCpuOfOthers,
    harmless: 'in turns',
    disturbance: (percent) => `other virtual machines used ${percent} of the CPU`,
  }),
  'client-stood-still': notComparable('client stood still', {
    share: standstill,
    harmless: 'in turns',
    disturbance: (percent) => `the client stood still for ${percent} of the window`,
  }),
  'calls-dropped': notComparable('operations dropped', { share: dropped, isEffect: true }),
  'below-target': notComparable('rate not kept', { isEffect: true }),
  'not-arrived': notComparable('documents lost', { share: lost, applies: (phase) => lost(phase) >= minErrors }),
  'server-stood-still': notComparable('server stood still', { share: standstill }),
  'short-window': notComparable('short window', {
    applies: (phase) => isUnderASecond(phase) || countCalls(phase) < minCalls,
    harmless: 'anywhere',
  }),
  'agent-limited': lowerBound('agent', { isEffect: true }),
  'agent-late': lowerBound('late start', {
    share: lateShare,
    applies: (phase) => lateShare(phase) >= minLate,
    isEffect: true,
  }),
  'client-limited': lowerBound('client', { share: ({ client }) => client.eventLoopUtilization, isEffect: true }),
  'threads-apart': lowerBound('threads apart', { isEffect: true }),
  'peak-at-the-end': lowerBound('more workers'),
  'other-load-unknown': { level: 'unchecked', reason: 'other programs unknown' },
  'written-out': remark,
  'fault-late': effect,
  'calls-late': effect,
  'replay-late': effect,
  'event-loop-delay': effect,
  'idle-workers': effect,
  'row-gaps': remark,
  'latest-by-thread': remark,
  'transactions-aborted': remark,
  'nothing-matched': remark,
  clamped: remark,
  unacknowledged: remark,
  drifting: effect,
  unsettled: effect,
  checkpoint: remark,
  'chunks-moved': remark,
  'not-explained': remark,
  'left-out': remark,
  'slow-machine': effect,
  'cores-shared': remark,
  'limits-not-kept': remark,
  'not-reported': remark,
  'column-failed': remark,
  'page-cache-unlimited': remark,
  'not-settled': remark,
  'no-checkpoint': remark,
} as const satisfies Record<string, Weight>

/** The code of a warning about a row. A new one needs a weight. */
export type WarningCode = keyof typeof warningWeights

export type RowWarning = Warning & { readonly code: WarningCode }

/** The weight of a warning. One of a newer version, which is not known here, is a remark. */
export function getWarningWeight(code: string): Weight {
  return Object.hasOwn(warningWeights, code) ? warningWeights[code as WarningCode] : remark
}

/** The position of a warning among all: the most important has 0. */
export function getWarningRank(code: string): number {
  const rank = Object.keys(warningWeights).indexOf(code)
  return rank < 0 ? Infinity : rank
}

/** Code of the warning that this machine cannot run the spec, as opposed to a failed run. */
export const notMeasuredHere = 'not-measured-here'

export const isNotMeasuredHere = ({ code }: Warning): boolean => code === notMeasuredHere
