import { RecentMap } from '../../core/recent-map.ts'
import { codeOperators, isInternal } from '../../language/values/keys.ts'
import { stateChangeCodes } from '../../load/engines/wire/pooled-connection.ts'
import { FieldReader } from '../../protocol/bson/field-reader.ts'
import { bsonType } from '../../protocol/bson/types.ts'
import type { RecordedCall } from '../recording/recorded-call.ts'
import { findTreatment } from './replayable.ts'
import { cursorsIn } from './write-message.ts'

/** The part of a recording that is replayed. */
export type Selection = {
  /** In µs since the first call of the recording: from the first, to before the second. */
  readonly fromUs: number
  readonly untilUs: number
  /** Names of commands. Undefined: all. */
  readonly only: ReadonlySet<string> | undefined
  /** Whether calls are sent that run JavaScript on the server. */
  readonly javascript: boolean
  /** Whether collections and indexes that calls create delete documents by their age. */
  readonly expires: boolean
}

/** The fate of a call: it is sent, and may write, or it is left out for a reason. */
export type Fate = { readonly writes: boolean } | { readonly leftOut: string }

const read: Fate = { writes: false }
const write: Fate = { writes: true }
const outside: Fate = { leftOut: 'outside of --from and --until' }
const code: Fate = { leftOut: 'JavaScript for the server, which --allow-javascript sends' }
const otherCommand: Fate = { leftOut: 'commands that --only does not name' }
const noCursor: Fate = { leftOut: 'continued cursors whose first batch is left out' }
const noTransaction: Fate = { leftOut: 'transactions whose start is left out' }
/** Calls that a new primary ended may be done or not. Drivers send reads and single writes again, which are in the recording too. */
const interrupted: Fate = { leftOut: 'calls that an election ended' }
/** A commit that failed there would not fail here. */
const failedCommit: Fate = { leftOut: 'commits that failed' }
/** More cursors than any application has open. */
const minKept = 100_000

/**
 * Decides for the calls of a recording, one after the other in their order, which of them are sent. It goes by the recording alone, so that every pass over
 * it decides the same.
 */
export function selectCalls({ fromUs, untilUs, only, javascript }: Selection): (call: RecordedCall) => Fate {
  const cursors = new RecentMap<bigint, true>(minKept)
  const transactions = new Map<number, number | null>()
  let beganUs: number | undefined

  function decide(call: RecordedCall): Fate {
    beganUs ??= call.startUs
    // A call that took long is behind those that began after it.
    const sinceUs = Math.max(0, call.startUs - beganUs)
    if (sinceUs < fromUs || sinceUs >= untilUs) return outside
    const treatment = findTreatment(call)
    if (typeof treatment === 'object') return treatment
    if (!javascript && runsJavaScript(call)) return code
    const { session, name, reply } = call
    if (reply?.ok === false && stateChangeCodes.has(reply.code)) return interrupted
    if (session?.transaction === 'continues' && transactions.get(session.number) !== session.transactionNumber)
      return noTransaction
    if (reply?.ok === false && name === 'commitTransaction') return failedCommit
    if (treatment !== 'follows') return only?.has(name) === false ? otherCommand : treatment === 'writes' ? write : read
    return name.endsWith('Transaction') || cursorsIn(call).some((id) => cursors.get(id) === true) ? read : noCursor
  }

  return (call) => {
    const fate = decide(call)
    if ('leftOut' in fate) return fate
    const { session, reply, name } = call
    if (session?.transaction === 'starts') transactions.set(session.number, session.transactionNumber)
    if (name === 'killCursors' || (name === 'getMore' && reply?.cursor === 0n))
      for (const id of cursorsIn(call)) cursors.delete(id)
    if (reply?.cursor) cursors.set(reply.cursor, true)
    return fate
  }
}

/** Every key that runs code contains one of them. Other commands, which are nearly all, are not read. */
const marks = [...codeOperators, '$_internal'].map((key) => Buffer.from(key))
const codeKeys: ReadonlySet<string> = new Set(codeOperators)

/** Whether a server would run JavaScript of a command: in a filter, an expression, a view or a validator. */
const runsJavaScript = ({ command }: Pick<RecordedCall, 'command'>): boolean =>
  marks.some((mark) => command.includes(mark)) && hasCode(command, 0, command.length)

const readers: FieldReader[] = []

function hasCode(bytes: Buffer, start: number, end: number, depth = 0): boolean {
  const reader = (readers[depth] ??= new FieldReader()).open(bytes, start, end)
  while (reader.next()) {
    const key = reader.key()
    if (codeKeys.has(key) || isInternal(key)) return true
    const isNested = reader.type === bsonType.document || reader.type === bsonType.array
    if (isNested && hasCode(bytes, reader.start, reader.end, depth + 1)) return true
  }
  return false
}
