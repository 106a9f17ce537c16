import { type Clock } from '../../../core/clock.ts'
import { type FaultOccurrence, type FaultResult } from '../../../results/schema/faults.ts'
import { type FaultSpec, nameOfFault } from '../index.ts'
import { type PlannedFault, generateTimeline } from './timeline.ts'

/** News about a fault, for people who watch. */
export type FaultNews = {
  readonly phase: string
  readonly name: string
  /** For a random fault, what was drawn. */
  readonly kind: string
  readonly what: 'done' | 'undone' | 'failed'
  readonly servers: readonly string[]
  /** Seconds since the first measured call. */
  readonly atSeconds: number
  /** Why it failed. */
  readonly error: string | null
}

export type Undo = () => Promise<void>

/** Reports of one happening while it goes on. */
export type Happening = { readonly meets: (servers: readonly string[]) => void; readonly onUndo: (undo: Undo) => void }

/** The faults of a phase, with their schedule, clock and callbacks; times are in ms unless named otherwise. */
export type FaultInjection = {
  readonly phase: string
  readonly specs: readonly FaultSpec[]
  readonly seed: number
  /** End of the phase in seconds, if it stops after seconds; else Infinity. */
  readonly lastSecond: number
  readonly clock: Clock
  /** First measured call, in the clock's milliseconds. */
  readonly startMs: number
  /** Ends it all: nothing begins any more, and what lasts is undone at once. */
  readonly over: AbortSignal
  /** Makes one happen. What it has handed to `onUndo` is undone, even when it throws half-way. */
  readonly begin: (planned: PlannedFault, happening: Happening) => Promise<void>
  /** The primary of the set that a fault is about. */
  readonly primary: (planned: PlannedFault) => { readonly member: string | null; readonly term: number | null }
  /** Called at once when one begins, with the clock's milliseconds. */
  readonly onBegin: (fault: string, beganMs: number) => void
  readonly onNews: (news: FaultNews) => void
}

/** Does faults on their time line, beside each other, until all have happened or it is over. Rejects never; all is undone then. */
export async function injectFaults(given: FaultInjection): Promise<FaultResult[]> {
  const { over, specs } = given
  let overAtSeconds = over.aborted ? 0 : Infinity
  over.addEventListener('abort', () => (overAtSeconds = secondsSince(given)), { once: true })
  return await Promise.all(specs.map((spec) => injectFault(spec, given, () => overAtSeconds)))
}

async function injectFault(spec: FaultSpec, given: FaultInjection, overAtSeconds: () => number): Promise<FaultResult> {
  const { clock, over } = given
  const occurrences: FaultOccurrence[] = []
  let notBegun = 0
  for (const planned of generateTimeline(spec, given)) {
    await sleepUntil(planned.atSeconds, given)
    if (planned.atSeconds > overAtSeconds()) break
    if (over.aborted) {
      notBegun += 1
      continue
    }
    const occurrence = await injectOnce(planned, nameOfFault(spec), given)
    occurrences.push(spec.kind === 'random' ? { ...occurrence, kind: planned.spec.kind } : occurrence)
    // A list of faults without a time between them must not keep all other work from its turn.
    if (!over.aborted) await clock.sleep(0, over)
  }
  return { name: nameOfFault(spec), kind: spec.kind, occurrences, notBegun }
}

const secondsSince = ({ clock, startMs }: Pick<FaultInjection, 'clock' | 'startMs'>): number =>
  (clock.now() - startMs) / 1000

/** Maximum length of a timer of Node, less than 25 days. */
const maxSleepMs = 2 ** 31 - 1

async function sleepUntil(atSeconds: number, { clock, startMs, over }: FaultInjection): Promise<void> {
  for (;;) {
    const leftMs = startMs + atSeconds * 1000 - clock.now()
    if (leftMs <= 0 || over.aborted) return
    await clock.sleep(Math.min(leftMs, maxSleepMs), over)
  }
}

async function injectOnce(planned: PlannedFault, name: string, given: FaultInjection): Promise<FaultOccurrence> {
  const { phase, clock, begin, primary, onBegin, onNews } = given
  const { atSeconds: plannedAtSeconds, undoAtSeconds } = planned
  const { kind } = planned.spec
  const { member: primaryBefore, term: termBefore } = primary(planned)
  const beganAtSeconds = secondsSince(given)
  onBegin(name, clock.now())
  const undos: Undo[] = []
  let targets: readonly string[] = []
  const report = (what: FaultNews['what'], error: string | null = null): void =>
    onNews({ phase, name, kind, what, servers: targets, atSeconds: secondsSince(given), error })

  const failure = await captureFailure(() =>
    begin(planned, {
      meets: (servers) => void (targets = [...new Set([...targets, ...servers])]),
      onUndo: (undo) => void undos.push(undo),
    }),
  )
  const doneAtSeconds = secondsSince(given)
  report(failure === null ? 'done' : 'failed', failure)
  // What has failed half-way is undone at once.
  if (failure === null && undoAtSeconds !== null) await sleepUntil(undoAtSeconds, given)
  const undoFailure = await undoAll(undos)
  const isUndone = undos.length > 0 && undoFailure === null
  if (isUndone) report('undone')
  else if (undoFailure !== null) report('failed', undoFailure)
  return {
    plannedAtSeconds,
    beganAtSeconds,
    doneAtSeconds,
    plannedUndoSeconds: undoAtSeconds === Infinity ? null : undoAtSeconds,
    undoneAtSeconds: isUndone ? secondsSince(given) : null,
    targets: [...targets],
    primaryBefore,
    termBefore,
    error: joinFailures(failure, undoFailure),
  }
}

function joinFailures(failure: string | null, undoFailure: string | null): string | null {
  if (undoFailure === null) return failure
  return `${failure === null ? '' : `${failure}; `}not undone: ${undoFailure}`
}

/** All of them, also when one fails. @returns the message of the first failure. */
async function undoAll(undos: readonly Undo[]): Promise<string | null> {
  const failures: string[] = []
  for (const undo of undos.toReversed()) {
    const failure = await captureFailure(undo)
    if (failure !== null) failures.push(failure)
  }
  return failures[0] ?? null
}

async function captureFailure(act: () => Promise<void>): Promise<string | null> {
  try {
    await act()
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
