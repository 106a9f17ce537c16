import { type Clock } from '../../core/clock.ts'
import { computeTicks } from '../../load/engines/deadlines.ts'
import { emptyReply, type Outcome, type PhaseEngine, type Reply } from '../../load/engines/engine.ts'
import { unreachable } from '../../load/engines/unreachable.ts'
import { type Exchange } from '../../load/engines/wire/method.ts'
import { PooledConnection } from '../../load/engines/wire/pooled-connection.ts'
import { createReplyError, decodeReply } from '../../load/engines/wire/replies/write-reply.ts'
import { type OwnLoop } from '../../load/local-unit.ts'
import { digestText } from '../../load/plan/digest.ts'
import { type CallSource } from '../../load/plan/plan.ts'
import { type Connection } from '../../protocol/wire/connection.ts'
import { readReply } from '../record/read-reply.ts'
import { createDigest, noDigest } from '../recording/digest.ts'
import { type Recording } from '../recording/open-recording.ts'
import { type RecordedCall } from '../recording/recorded-call.ts'
import { continuesCursor, cursorsIn, listCursors } from './cursors-in.ts'
import { Identities } from './identities.ts'
import { nothing } from './order.ts'
import { type LoopPlan, replayLoop, type Sending } from './replay-loop.ts'
import { selectCalls, type Selection } from './selection.ts'
import { type Slots } from './slots.ts'
import { type Survey } from './survey.ts'
import { differs, type Tally } from './tally.ts'
import { writeMessage } from './write-message.ts'

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
export type ReplayContext = {
  readonly connect: () => Promise<Connection>
  readonly takesRetries: boolean
  readonly clock: Pick<Clock, 'now'>
  /** A call without a reply after so long is given up, and its connection closed. */
  readonly deadlineMs: number
  readonly tally: Tally
}

/** Parts of a unit of load that replays a recording. */
export type ReplayLoad = {
  readonly engine: PhaseEngine
  readonly calls: CallSource
  readonly loop: OwnLoop
}

/** A connection, and the call that it carries. */
type Slot = { readonly connection: PooledConnection; readonly send: (sending: Sending) => void }

const maxOpening = 32
/** So many calls may wait for others. More would live too long to be collected cheaply. */
const waitingPerConnection = 16
const minWaiting = 256
const maxDrainMs = 10_000
const sessionsPerCommand = 10_000
const noArguments = { options: {} }

export function createReplayLoad(replay: Replay, context: ReplayContext): ReplayLoad {
  const { recording, selection, survey, slots, speed, compareDocuments } = replay
  const { connect, takesRetries, clock, deadlineMs, tally } = context
  const identities = new Identities()
  const server = { identities, takesRetries, expires: selection.expires }
  const digests = compareDocuments ? createDigest : () => noDigest
  const sessions = new Set<number>()
  let [tick, number, taken, notSent, high, low] = [0, 0, 0, 0, 0, 0]
  let isWhole = false
  const connections = Array.from({ length: slots.count }, createSlot)

  function createSlot(): Slot {
    const connection = new PooledConnection({ connect, deadlineMs, now: () => tick, release: () => {} })
    let current: Sending | undefined
    const done = (outcome: Outcome): void => {
      const sending = current
      current = undefined
      sending?.ended(sending, outcome)
    }
    const createExchange = (unacknowledged: Exchange['unacknowledged']): (() => Exchange) => {
      const exchange: Exchange = {
        unacknowledged,
        begin: (_, message) => current && writeMessage(current.call, server, message),
        take(bytes, start, end, message) {
          message.shrink()
          return current && takeReply(current, bytes, start, end)
        },
      }
      return () => exchange
    }
    const [answered, posted] = [createExchange(undefined), createExchange(() => emptyReply)]
    return {
      connection,
      send(sending) {
        current = sending
        connection.send(sending.call.acknowledged ? answered : posted, noArguments, undefined, done)
      },
    }
  }

  /** @throws the error of a call that failed. One that was recorded too is what the application got, and none of the replay. */
  function takeReply({ call, operation }: Sending, bytes: Buffer, start: number, end: number): Reply {
    const here = readReply({ bytes, document: start, end }, end - start, digests)
    const { reply: recorded } = call
    if (recorded !== null) {
      if (differs(recorded, here, compareDocuments)) tally.count(operation, 'differing')
      if (recorded.upsertedIds.length > 0) identities.setObjectIds(recorded.upsertedIds, here.upsertedIds)
      if (recorded.cursor || continuesCursor(call))
        for (const id of listCursors(call)) identities.setCursor(id, here.cursor ?? 0n)
    }
    if (here.code === 0 ? here.ok : here.code === recorded?.code) return emptyReply
    throw createReplyError(decodeReply(bytes, start, end))
  }

  function toSending(call: RecordedCall, dueMs: number, ended: Sending['ended']): Sending {
    const { connection, session, startUs } = call
    const operation = survey.shapes.of(call)
    if (session !== null) sessions.add(session.number)
    const mixed = Math.imul(Math.imul(connection ^ 0x9e3779b9, 0x85ebca6b) ^ startUs, 0xc2b2ae35)
    high = (high + mixed) >>> 0
    low = (low + Math.imul(mixed ^ (operation + 1), 0x27d4eb2f)) >>> 0
    taken += 1
    return {
      call,
      operation,
      number: number - 1,
      args: noArguments,
      bytes: 0,
      documents: 0,
      dueMs,
      slot: slots.of(connection) ?? 0,
      session: session?.number,
      cursor: listCursors(call)[0],
      ahead: 0,
      behind: nothing,
      sentMs: 0,
      isHeld: false,
      ended,
    }
  }

  function send(sending: Sending): boolean {
    const { call, operation, slot } = sending
    const continued = continuesCursor(call) ? cursorsIn(call) : undefined
    if (
      continued !== undefined &&
      continued.length > 0 &&
      continued.every((id) => identities.cursor(id) === undefined)
    ) {
      tally.count(operation, 'notSent')
      notSent += 1
      return false
    }
    connections[slot]?.send(sending)
    return true
  }

  function addEnded(
    { call: { latencyUs }, operation, number: at, dueMs, sentMs, isHeld }: Sending,
    endMs: number,
    { kind }: Outcome,
  ): void {
    if (speed !== 'max') tally.addSent(sentMs - dueMs, isHeld)
    if (kind === 'ok' && latencyUs !== null)
      tally.latencies.add(operation, at / survey.calls, latencyUs, (endMs - sentMs) * 1000)
  }

  const open = (): Slot | undefined => connections.find(({ connection }) => connection.isOpen)

  async function endSessions(): Promise<void> {
    const ids = [...sessions].map((session) => ({ id: identities.sessionId(session) }))
    for (let at = 0; at < ids.length; at += sessionsPerCommand)
      await open()?.connection.command({ endSessions: ids.slice(at, at + sessionsPerCommand) })
  }

  return {
    async loop(options) {
      const { everyMs, ticks } = computeTicks(deadlineMs)
      const ticking = setInterval(() => {
        tick += 1
        for (const { connection } of connections) if (tick - connection.sentTick > ticks) connection.giveUp()
      }, everyMs)
      try {
        const decide = selectCalls(selection)
        const plan: LoopPlan = {
          batches: recording.batches('kept'),
          isSelected(call) {
            if ('leftOut' in decide(call)) return false
            // Of all shares: numbers of calls are of the recording.
            number += 1
            return slots.of(call.connection) !== undefined
          },
          afterMs: speed === 'max' ? undefined : ({ startUs }) => (startUs - survey.firstUs) / 1000 / speed,
          toSending,
          maxWaiting: Math.max(minWaiting, slots.count * waitingPerConnection),
          send,
          addEnded,
        }
        const end = await replayLoop(plan, options)
        isWhole = true
        // Asked for the reason of the end, which is another one where the loop was stopped.
        options.isOver(clock.now())
        return end
      } finally {
        clearInterval(ticking)
      }
    },
    calls: {
      endedBecause: () => (isWhole ? 'operations' : undefined),
      next: takesNone,
      drawn: () => taken - notSent,
      digest: () => digestText(high, low, taken),
    },
    engine: {
      send: takesNone,
      async warmUp() {
        const closed = connections.values()
        const openSome = async (): Promise<void> => {
          for (const { connection } of closed) await connection.open()
        }
        try {
          await Promise.all(Array.from({ length: maxOpening }, openSome))
        } catch (error) {
          throw unreachable(error)
        }
      },
      async close() {
        for (const { connection } of connections) connection.giveUp()
        await endSessions().catch(() => {})
        await Promise.all(connections.map(({ connection }) => connection.end(maxDrainMs)))
      },
    },
  }
}

const takesNone = (): never => {
  throw new Error('A replay takes its calls from its recording, and sends them by itself')
}
