import { type Db, type Document } from 'mongodb'
import { type Clock } from '../clock.ts'
import { type RowWarning } from '../results/warning-weights.ts'
import { tryCheckpoint } from './checkpoint.ts'

const maxWaitMs = 60_000
const betweenLooksMs = 200

/** What settling a server needs. */
export type SettleContext = {
  readonly clock: Clock
  readonly signal: AbortSignal
  /** False where nothing of ours is on the server: it is left alone then, checkpoint and all. */
  readonly mayWrite: boolean
}

/**
 * Lets the server finish what loading left behind: members catch up, and a checkpoint writes dirty pages out, so that
 * neither falls into the timed window. What a server refuses to do is a warning, not an error.
 */
export async function settle(db: Db, { clock, signal, mayWrite }: SettleContext): Promise<readonly RowWarning[]> {
  const caughtUp = await membersCaughtUp(db, clock, signal)
  const checkpoint = mayWrite && !signal.aborted ? await tryCheckpoint(db, { signal }) : undefined
  if (signal.aborted) return []
  return [...(caughtUp ? [] : [notSettled]), ...(checkpoint === undefined ? [] : [noCheckpoint(checkpoint)])]
}

const notSettled: RowWarning = {
  code: 'not-settled',
  message: `Secondaries still lagged ${maxWaitMs / 1000} s after the load`,
  advice: 'Load less, or give the members more: the window holds work of the load.',
}

const noCheckpoint = (reason: string): RowWarning => ({
  code: 'no-checkpoint',
  message: `The server refused a checkpoint before the window (${reason})`,
  advice:
    'The user needs the action "fsync" (role hostManager); without it a checkpoint of the load may fall into the window.',
})

/** True when all secondaries have applied what the primary had when we began. */
async function membersCaughtUp(db: Db, clock: Clock, signal: AbortSignal): Promise<boolean> {
  const untilMs = clock.now() + maxWaitMs
  const status = await replicaStatus(db)
  const target = primaryOptime(status)
  if (target === undefined) return true
  for (let now = status; !signal.aborted; now = await replicaStatus(db)) {
    if (secondaries(now).every((member) => optime(member) >= target)) return true
    if (clock.now() > untilMs) return false
    await clock.sleep(betweenLooksMs, signal)
  }
  return true
}

/** Undefined on a standalone, on a router, and where the user may not ask. */
async function replicaStatus(db: Db): Promise<Document | undefined> {
  return db.client
    .db('admin')
    .command({ replSetGetStatus: 1 })
    .catch(() => undefined)
}

/** As a bigint: seconds and their counter fill 64 bits, and a number would take members a thousand writes apart for equal. */
const optime = (member: Document): bigint => member['optime']?.ts?.toBigInt?.() ?? 0n
const inState = (status: Document | undefined, state: string): Document[] =>
  ((status?.['members'] ?? []) as Document[]).filter((member) => member['stateStr'] === state)
const secondaries = (status: Document | undefined): Document[] => inState(status, 'SECONDARY')

function primaryOptime(status: Document | undefined): bigint | undefined {
  const [primary] = inState(status, 'PRIMARY')
  return primary && optime(primary)
}
