import { type Db } from 'mongodb'
import { type Unacknowledged } from '../results/schema/calls.ts'
import { findSentInserts, type SentInserts } from '../spec/plan/sent-inserts.ts'
import { type PhaseSpec } from '../spec/schema/phase-schema.ts'
import { type RowRun } from './row-run.ts'
import { type RunEnvironment } from './run-environment.ts'

const maxWaitMs = 60_000
const betweenLooksMs = 50
/**
 * Number of looks in a row that find no more, a second at least: a server that is busy with a checkpoint may take in nothing for a
 * while. Looks, because time goes by on a machine that stands still too.
 */
const stillLooks = 20
const maxCountMs = 10_000

/** Counts what arrives of the inserts of a phase that are not acknowledged. Nothing here throws. */
export type Arrivals = {
  /** To be awaited before the window: what a warm-up has sent comes in first. */
  readonly start: () => Promise<void>
  /**
   * To be awaited after the window, while the connections of the phase are open: closing them would drop what still waits in
   * the buffers of this process. What comes in meanwhile does not disturb the next phase either.
   * @param sent Documents that the phase has sent.
   * @param windowEndMs When it had sent them.
   */
  readonly finish: (sent: number, windowEndMs: number) => Promise<Unacknowledged>
}

/** Watches the inserts of a phase. Undefined: all of them are acknowledged. */
export function watchPhaseArrivals(phase: PhaseSpec, row: RowRun): Arrivals | undefined {
  const inserts = findSentInserts(phase, row.spec)
  const hasWarmup = phase.warmup !== undefined
  return inserts && watchArrivals(inserts, bookedDocuments(row.db), { ...row, hasWarmup })
}

type Waiting = Pick<RunEnvironment, 'clock' | 'signal'>

/** @param count Documents that collections hold now, together. */
export function watchArrivals(
  inserts: SentInserts,
  count: (collections: readonly string[]) => Promise<number>,
  { hasWarmup, ...waiting }: Waiting & { readonly hasWarmup: boolean },
): Arrivals {
  if ('reason' in inserts) return { start: async () => {}, finish: async (sent) => untold(sent, inserts.reason) }
  const { collections } = inserts
  let before: number | undefined
  let trouble = 'they were not counted before'

  async function look(wanted: number): Promise<number | undefined> {
    try {
      return await countUntilStill(() => count(collections), wanted, waiting)
    } catch (error) {
      trouble = `the server did not count them (${error instanceof Error ? error.name : 'no reason given'})`
      return undefined
    }
  }

  return {
    async start() {
      before = await look(hasWarmup ? Infinity : 0)
    },
    async finish(sent, windowEndMs) {
      const after = before === undefined ? undefined : await look(before + sent)
      if (before === undefined || after === undefined) return untold(sent, trouble)
      return { sent, arrived: after - before, waitedMs: waiting.clock.now() - windowEndMs, reason: null }
    },
  }
}

/** Counts again and again, until as many are there as are wanted, or no more have come for a while. */
async function countUntilStill(
  count: () => Promise<number>,
  wanted: number,
  { clock, signal }: Waiting,
): Promise<number> {
  const untilMs = clock.now() + maxWaitMs
  let counted = await count()
  let looks = 0
  while (counted < wanted && looks < stillLooks && clock.now() < untilMs && !signal.aborted) {
    await clock.sleep(betweenLooksMs, signal)
    const now = await count()
    looks = now === counted ? looks + 1 : 0
    counted = now
  }
  return counted
}

/** Reads the primary's own book, and no document. */
const bookedDocuments =
  (db: Db) =>
  async (collections: readonly string[]): Promise<number> => {
    const options = { readPreference: 'primary', maxTimeMS: maxCountMs } as const
    const counts = await Promise.all(collections.map((name) => db.collection(name).estimatedDocumentCount(options)))
    return counts.reduce((sum, one) => sum + one, 0)
  }

const untold = (sent: number, reason: string): Unacknowledged => ({ sent, arrived: null, waitedMs: 0, reason })
