import { type Db, type Document } from 'mongodb'
import { runCommand } from '../protocol/wire/run-command.ts'
import { plainSettings } from '../protocol/wire/settings.ts'
import { type OperationResult } from '../results/schema/calls.ts'
import { type RowWarning } from '../results/warnings/weights.ts'
import { type RunningTarget } from '../servers/targets/target.ts'
import { needsDatabase } from './data/prepare-data.ts'
import { type RowRun } from './row-run.ts'
import { type RunEnvironment } from './run-environment.ts'

const maxWaitMs = 60_000
const betweenLooksMs = 200

export type SettleContext = Pick<RunEnvironment, 'clock' | 'signal'> & {
  /** False where nothing of ours is on the server: it is left alone then, checkpoint and all. */
  readonly mayWrite: boolean
  /** Each replica set of the target, by a member of it: a router knows nothing of the members behind it. */
  readonly sets: readonly AskSet[]
}

/** Sends an admin command to a replica set. */
export type AskSet = (command: Document) => Promise<Document>

const askMs = 5_000

export const settleRow = (row: RowRun): Promise<readonly RowWarning[]> =>
  settle(row.db, { ...row, mayWrite: needsDatabase(row.spec), sets: listSets(row.target, row.db) })

/** The shards of a cluster of ours, each by its first member, or the target itself. */
export function listSets({ besides, members }: Pick<RunningTarget, 'besides' | 'members'>, db: Db): readonly AskSet[] {
  if (besides === undefined) return [(command) => db.client.db('admin').command(command)]
  const shards = new Map(members.toReversed().map(({ name, host }) => [name.split('/')[0], host]))
  return [...shards.values()].map((host) => (command) => runCommand(plainSettings(host), command, askMs))
}

/**
 * Lets the server finish what loading left behind: members catch up, and a checkpoint writes dirty pages out, so that
 * neither falls into the timed window. What a server refuses to do is a warning, not an error.
 */
export async function settle(db: Db, context: SettleContext): Promise<readonly RowWarning[]> {
  const { signal, mayWrite, sets } = context
  const settled = await Promise.all(sets.map((ask) => membersCaughtUp(ask, context)))
  const caughtUp = settled.every(Boolean)
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
  advice: reason.startsWith('CommandNot')
    ? 'This server has no command for it: what it does after the load may fall into the window.'
    : 'The user needs the action "fsync" (role hostManager); without it a checkpoint of the load may fall into the window.',
})

/** True when all secondaries have applied what the primary had when we began. */
async function membersCaughtUp(ask: AskSet, { clock, signal }: SettleContext): Promise<boolean> {
  const untilMs = clock.now() + maxWaitMs
  const status = await replicaStatus(ask)
  const target = primaryOptime(status)
  if (target === undefined) return true
  for (let now = status; !signal.aborted; now = await replicaStatus(ask)) {
    if (secondaries(now).every((member) => optime(member) >= target)) return true
    if (clock.now() > untilMs) return false
    await clock.sleep(betweenLooksMs, signal)
  }
  return true
}

/** Undefined on a standalone, on a router of others, and where the user may not ask. */
const replicaStatus = (ask: AskSet): Promise<Document | undefined> =>
  ask({ replSetGetStatus: 1 }).catch(() => undefined)

/** Reads an optime as a bigint: seconds and their counter fill 64 bits, and a number would take members a thousand writes apart for equal. */
const optime = (member: Document): bigint => member['optime']?.ts?.toBigInt?.() ?? 0n
const inState = (status: Document | undefined, state: string): Document[] =>
  ((status?.['members'] ?? []) as Document[]).filter((member) => member['stateStr'] === state)
const secondaries = (status: Document | undefined): Document[] => inState(status, 'SECONDARY')

function primaryOptime(status: Document | undefined): bigint | undefined {
  const [primary] = inState(status, 'PRIMARY')
  return primary && optime(primary)
}

/**
 * Has the server write out what is changed. Never throws.
 * @param options A bound in milliseconds, or a signal that ends the wait: on a slow disk it takes minutes.
 * @returns the reason why not, or undefined.
 */
export async function tryCheckpoint(
  db: Db,
  { maxTimeMS, signal }: { readonly maxTimeMS?: number; readonly signal?: AbortSignal },
): Promise<string | undefined> {
  try {
    await db.client.db('admin').command({ fsync: 1, ...(maxTimeMS !== undefined && { maxTimeMS }) }, { signal })
    return undefined
  } catch (error) {
    return error instanceof Error && 'codeName' in error ? String(error.codeName) : 'no reason given'
  }
}

const maxEndingMs = 2_000

/**
 * Ends what the primary still does for calls that were abandoned: a write that waits for members that are down
 * goes on when its connection is closed, for ever. Who may not end them leaves them; nothing here throws.
 * @param operations Of the phase that made the calls.
 */
export async function endAbandoned(db: Db, operations: readonly OperationResult[]): Promise<void> {
  if (!operations.some(({ errors }) => errors.some(({ code }) => code === 'DeadlineExceeded'))) return
  const admin = db.client.db('admin')
  const bounds = { readPreference: 'primary', signal: AbortSignal.timeout(maxEndingMs) } as const
  const ofRun = { appName: db.client.options.appName, ns: { $regex: `^${db.databaseName}\\.` } }
  try {
    const left = await admin.aggregate([{ $currentOp: {} }, { $match: ofRun }], bounds).toArray()
    for (const { opid } of left) await admin.command({ killOp: 1, op: opid }, bounds)
  } catch {
    return
  }
}
