import { type RecordedCall } from '../recording/recorded-call.ts'
import { cursorsIn } from './cursors-in.ts'
import { findTreatment } from './replayable.ts'

/** The part of a recording that is replayed. */
export type Selection = {
  /** In µs since the recording began: from the first, to before the second. */
  readonly fromUs: number
  readonly untilUs: number
  /** Names of commands. Undefined: all. */
  readonly only: ReadonlySet<string> | undefined
}

/** The fate of a call: it is sent, and may write, or it is left out for a reason. */
export type Fate = { readonly writes: boolean } | { readonly leftOut: string }

const read: Fate = { writes: false }
const write: Fate = { writes: true }
const outside: Fate = { leftOut: 'outside of --from and --until' }
const otherCommand: Fate = { leftOut: 'other commands than those of --only' }
const noCursor: Fate = { leftOut: 'continued cursors whose first batch is left out' }
const noTransaction: Fate = { leftOut: 'transactions whose start is left out' }

/**
 * Decides for the calls of a recording, one after the other in their order, which of them are sent. It goes by the recording alone, so that every pass over
 * it decides the same.
 */
export function selectCalls({ fromUs, untilUs, only }: Selection): (call: RecordedCall) => Fate {
  const cursors = new Set<bigint>()
  const transactions = new Map<number, number | null>()

  function decide(call: RecordedCall): Fate {
    if (call.startUs < fromUs || call.startUs >= untilUs) return outside
    const treatment = findTreatment(call)
    if (typeof treatment === 'object') return treatment
    const { session, name } = call
    if (session?.transaction === 'continues' && transactions.get(session.number) !== session.transactionNumber)
      return noTransaction
    if (treatment !== 'follows') return only?.has(name) === false ? otherCommand : treatment === 'writes' ? write : read
    return name.endsWith('Transaction') || cursorsIn(call).some((id) => cursors.has(id)) ? read : noCursor
  }

  return (call) => {
    const fate = decide(call)
    if ('leftOut' in fate) return fate
    const { session, reply, name } = call
    if (session?.transaction === 'starts') transactions.set(session.number, session.transactionNumber)
    if (name === 'killCursors' || (name === 'getMore' && reply?.cursor === 0n))
      for (const id of cursorsIn(call)) cursors.delete(id)
    if (reply?.cursor) cursors.add(reply.cursor)
    return fate
  }
}
