import type { Clock } from '../../core/clock.ts'
import type { Connections } from '../../load/engines/engine.ts'
import type { OwnCalls } from '../../load/local-unit.ts'
import { digestText } from '../../load/plan/digest.ts'
import type { Recording } from '../recording/open-recording.ts'
import type { RecordedCall } from '../recording/recorded-call.ts'
import { type ConnectionsContext, ReplayConnections, noArguments } from './connections.ts'
import { nothing } from './order.ts'
import { type LoopPlan, type Sending, replayLoop } from './replay-loop.ts'
import { type Selection, selectCalls } from './selection.ts'
import type { Slots } from './slots.ts'
import type { Survey } from './survey.ts'
import { listCursors } from './write-message.ts'

/** How many times as fast as recorded calls are sent, or as soon as those before them on their connection have ended. */
export type Speed = number | 'max'

/** The calls to replay, and how. */
export type Replay = {
  readonly recording: Pick<Recording, 'batches'>
  readonly selection: Selection
  readonly survey: Survey
  readonly slots: Slots
  readonly speed: Speed
  /** Whether the documents of replies are compared, and not only their number. */
  readonly compareDocuments: boolean
}

/** The server and the run of a replay. */
export type ReplayContext = Omit<ConnectionsContext, 'expires' | 'compareDocuments'> & {
  readonly clock: Pick<Clock, 'now'>
}

/** So many calls may wait for others. More would live too long to be collected cheaply. */
const waitingPerConnection = 16
const minWaiting = 256

export function createReplayLoad(
  replay: Replay,
  context: ReplayContext,
): { readonly engine: Connections; readonly own: OwnCalls } {
  const { recording, selection, survey, slots, speed, compareDocuments } = replay
  const { clock, tally } = context
  const { expires } = selection
  const connections = new ReplayConnections(slots.count, { ...context, expires, compareDocuments })
  let [number, taken, notSent, high, low] = [0, 0, 0, 0, 0]
  let isWhole = false

  function isSelected(call: RecordedCall): boolean {
    // Of all shares: numbers of calls are of the recording.
    number += 1
    return slots.of(call.connection) !== undefined
  }

  function addToDigest({ connection, startUs }: RecordedCall, operation: number): void {
    const mixed = Math.imul(Math.imul(connection ^ 0x9e3779b9, 0x85ebca6b) ^ startUs, 0xc2b2ae35)
    high = (high + mixed) >>> 0
    low = (low + Math.imul(mixed ^ (operation + 1), 0x27d4eb2f)) >>> 0
    taken += 1
  }

  function toSending(call: RecordedCall, dueMs: number, ended: Sending['ended']): Sending {
    const operation = survey.shapes.of(call)
    addToDigest(call, operation)
    return {
      call,
      operation,
      number: number - 1,
      args: noArguments,
      bytes: 0,
      documents: 0,
      dueMs,
      slot: slots.of(call.connection) ?? 0,
      session: call.session?.number,
      cursor: listCursors(call)[0],
      ahead: 0,
      behind: nothing,
      sentMs: 0,
      isHeld: false,
      ended,
    }
  }

  function send(sending: Sending): boolean {
    if (connections.send(sending)) return true
    tally.count(sending.operation, 'notSent')
    notSent += 1
    return false
  }

  const addEnded: LoopPlan['addEnded'] = ({ call, operation, number: at, dueMs, sentMs, isHeld }, endMs, { kind }) => {
    if (speed !== 'max') tally.addSent(sentMs - dueMs, isHeld)
    if (kind === 'ok' && call.latencyUs !== null)
      tally.latencies.add(operation, at / survey.calls, call.latencyUs, (endMs - sentMs) * 1000)
  }

  return {
    own: {
      async loop(options) {
        using _ = connections.watchDeadlines()
        const decide = selectCalls(selection)
        const end = await replayLoop(
          {
            batches: recording.batches('kept'),
            isSelected: (call) => !('leftOut' in decide(call)) && isSelected(call),
            afterMs: speed === 'max' ? undefined : ({ startUs }) => (startUs - survey.firstUs) / 1000 / speed,
            toSending,
            maxWaiting: Math.max(minWaiting, slots.count * waitingPerConnection),
            send,
            addEnded,
          },
          options,
        )
        isWhole = true
        // Asked for the reason of the end, which is another one where the loop was stopped.
        options.isOver(clock.now())
        return end
      },
      endedBecause: () => (isWhole ? 'operations' : undefined),
      drawn: () => taken - notSent,
      digest: () => digestText(high, low, taken),
    },
    engine: {
      warmUp: () => connections.open(),
      close: () => connections.close(),
    },
  }
}
