import { type Clock } from '../../core/clock.ts'
import { noAnswerWithin } from '../../load/engines/deadlines.ts'
import { emptyReply, type Outcome, type PhaseEngine } from '../../load/engines/engine.ts'
import { toOutcome } from '../../load/engines/outcomes.ts'
import { unreachable } from '../../load/engines/unreachable.ts'
import { neverSent, stateChangeCodes } from '../../load/engines/wire/pooled-connection.ts'
import { createReplyError, decodeReply, namedError } from '../../load/engines/wire/replies/write-reply.ts'
import { type OwnLoop } from '../../load/local-unit.ts'
import { digestText } from '../../load/plan/digest.ts'
import { type CallSource } from '../../load/plan/plan.ts'
import { type Connection } from '../../protocol/wire/connection.ts'
import { readReply } from '../record/read-reply.ts'
import { type Recording } from '../recording/open-recording.ts'
import { type RecordedCall, type RecordedReply } from '../recording/recorded-call.ts'
import { cursorsIn } from './cursors-in.ts'
import { Identities } from './identities.ts'
import { type LoopPlan, replayLoop, type Sending } from './replay-loop.ts'
import { selectCalls, type Selection } from './selection.ts'
import { Slot, type SlotListener } from './slot.ts'
import { type Slots } from './slots.ts'
import { type Survey } from './survey.ts'
import { differs, type Tally } from './tally.ts'
import { writeMessage } from './write-message.ts'

/** How many times as fast as recorded calls are sent, or as soon as those before them on their connection have ended. */
export type Speed = number | 'max'

/** What is replayed, and how. */
export type Replay = {
  readonly recording: Pick<Recording, 'batches'>
  readonly selection: Selection
  readonly survey: Survey
  readonly slots: Slots
  readonly speed: Speed
  /** Whether the documents of replies are compared, and not only their number. */
  readonly compareDocuments: boolean
}

/** What a replay needs of its server and its run. */
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

type Answer = { readonly reply: RecordedReply; readonly outcome: Outcome }

const maxOpening = 32
const lookMs = 250
const sessionsPerCommand = 10_000
const ok: Outcome = { kind: 'ok', reply: emptyReply }

/** Creates the load of one run of a replay. */
export function createReplayLoad(replay: Replay, context: ReplayContext): ReplayLoad {
  const { recording, selection, survey, slots, speed, compareDocuments } = replay
  const { connect, takesRetries, clock, deadlineMs, tally } = context
  const identities = new Identities()
  const sessions = new Set<number>()
  let [number, notSent, high, low] = [0, 0, 0, 0]
  let isWhole = false

  const listener: SlotListener<Sending, Answer> = {
    write: ({ call }, out) => writeMessage(call, { identities, retries: takesRetries }, out),
    read({ call }, bytes, start, end) {
      const reply = readReply({ ...noMessage, bytes, start, document: start, end }, end - start)
      // An error that was recorded too is what the application got.
      const isAsRecorded = reply.code === 0 ? reply.ok : reply.code === call.reply?.code
      return { reply, outcome: isAsRecorded ? ok : toOutcome(createReplyError(decodeReply(bytes, start, end))) }
    },
    isGone: ({ reply }) => stateChangeCodes.has(reply.code),
    onEnd(sending, answer) {
      if (answer !== undefined) compare(sending, answer.reply)
      sending.ended(sending, answer?.outcome ?? ok)
    },
    onFailure: (sending, error, isSent) =>
      sending.ended(sending, toOutcome(isSent ? namedError('MongoNetworkError', error.message) : neverSent(error))),
  }
  const connections = Array.from({ length: slots.count }, () => new Slot(connect, listener))

  function compare({ call, operation }: Sending, reply: RecordedReply): void {
    const { reply: recorded } = call
    if (recorded === null) return
    const shape = tally.shapes[operation]
    if (shape !== undefined && differs(recorded, reply, compareDocuments)) shape.differing += 1
    if (recorded.upsertedIds.length > 0) identities.setObjectIds(recorded.upsertedIds, reply.upsertedIds)
    for (const id of cursorsOf(call)) identities.setCursor(id, reply.cursor ?? 0n)
  }

  function describe(call: RecordedCall): ReturnType<LoopPlan['describe']> {
    const { connection, session, startUs } = call
    const operation = survey.shapes.of(call)
    if (session !== null) sessions.add(session.number)
    const mixed = Math.imul(Math.imul(connection ^ 0x9e3779b9, 0x85ebca6b) ^ startUs, 0xc2b2ae35)
    high = (high + mixed) >>> 0
    low = (low + Math.imul(mixed ^ (operation + 1), 0x27d4eb2f)) >>> 0
    const keys = { slot: slots.of(connection), session: session?.number, cursor: cursorsOf(call)[0] }
    return { operation, number: number++, ...keys }
  }

  function send(sending: Sending): boolean {
    const { call, operation, slot } = sending
    const continued = continuesCursor(call) ? cursorsIn(call) : []
    if (continued.length > 0 && continued.every((id) => identities.cursor(id) === undefined)) {
      const shape = tally.shapes[operation]
      if (shape !== undefined) shape.notSent += 1
      notSent += 1
      return false
    }
    connections[slot]?.send(sending)
    return true
  }

  function giveUpLate(): void {
    const beforeMs = clock.now() - deadlineMs
    for (const slot of connections)
      if (slot.call !== undefined && slot.call.sentMs < beforeMs) slot.close(noAnswerWithin(deadlineMs).message)
  }

  async function endSessions(): Promise<void> {
    const ids = [...sessions].map((session) => ({ id: identities.sessionId(session) }))
    const connection = connections.find((slot) => slot.connection !== undefined)?.connection
    for (let at = 0; at < ids.length; at += sessionsPerCommand)
      await connection?.command({ endSessions: ids.slice(at, at + sessionsPerCommand) })
  }

  return {
    async loop(options) {
      const looking = setInterval(giveUpLate, lookMs)
      const decide = selectCalls(selection)
      try {
        const plan = {
          batches: recording.batches(),
          isSelected: (call: RecordedCall) => !('leftOut' in decide(call)),
          afterMs:
            speed === 'max' ? undefined : ({ startUs }: RecordedCall) => (startUs - survey.firstUs) / 1000 / speed,
          describe,
          send,
          addLate: (lateMs: number, isHeld: boolean) => tally.addSent(lateMs, isHeld),
        }
        const end = await replayLoop(plan, options)
        isWhole = true
        // Asked for the reason of the end, which is another one where the loop was stopped.
        options.isOver(clock.now())
        return end
      } finally {
        clearInterval(looking)
      }
    },
    calls: {
      endedBecause: () => (isWhole ? 'operations' : undefined),
      next: takesNone,
      drawn: () => number - notSent,
      digest: () => digestText(high, low, number),
    },
    engine: {
      send: takesNone,
      async warmUp() {
        const closed = connections.values()
        const openSome = async (): Promise<void> => {
          for (const slot of closed) await slot.open()
        }
        try {
          await Promise.all(Array.from({ length: maxOpening }, openSome))
        } catch (error) {
          throw unreachable(error)
        }
      },
      async close() {
        for (const slot of connections) if (slot.call !== undefined) slot.close()
        await endSessions().catch(() => {})
        for (const slot of connections) slot.close()
      },
    },
  }
}

const takesNone = (): never => {
  throw new Error('A replay takes its calls from its recording, and sends them by itself')
}

const noMessage = { operation: 0, requestId: 0, respondsTo: 0, flags: 0, sequences: [] }

const continuesCursor = ({ name }: RecordedCall): boolean => name === 'getMore' || name === 'killCursors'

/** The cursors that a call opened, continued or killed in the recording. */
const cursorsOf = (call: RecordedCall): readonly bigint[] =>
  continuesCursor(call) ? cursorsIn(call) : call.reply?.cursor ? [call.reply.cursor] : []
