import { FieldReader } from '../../protocol/bson/field-reader.ts'
import { fieldAt, int32At } from '../../protocol/bson/skip.ts'
import { bsonType } from '../../protocol/bson/types.ts'
import { type RecordedCall } from '../recording/recorded-call.ts'

/** Offset of the id of a `getMore`: behind the length of the document, its type and its key. */
const getMoreAt = 4 + 1 + 'getMore'.length + 1
const ids = new FieldReader()
const none: readonly never[] = []

/** Offsets in a command, as a recording has it, at which it names cursors by an int64. */
export function cursorOffsets({ name, command }: Pick<RecordedCall, 'name' | 'command'>): readonly number[] {
  if (name === 'getMore') return command[4] === bsonType.int64 ? [getMoreAt] : none
  if (name !== 'killCursors') return none
  const at = fieldAt(command, 0, 'cursors')
  if (at < 0 || command[at] !== bsonType.array) return none
  const start = at + 'cursors'.length + 2
  const offsets: number[] = []
  ids.open(command, start, start + int32At(command, start))
  while (ids.next()) if (ids.type === bsonType.int64) offsets.push(ids.start)
  return offsets
}

/** The cursors that a call continues or kills, by their ids in the recording. */
export const cursorsIn = (call: Pick<RecordedCall, 'name' | 'command'>): readonly bigint[] =>
  cursorOffsets(call).map((at) => call.command.readBigInt64LE(at))

/** Whether a call goes on with what another one has opened. */
export const continuesCursor = ({ name }: Pick<RecordedCall, 'name'>): boolean =>
  name === 'getMore' || name === 'killCursors'

/** The cursors that a call opened, continued or killed in the recording. */
export const listCursors = (call: Pick<RecordedCall, 'name' | 'command' | 'reply'>): readonly bigint[] =>
  continuesCursor(call) ? cursorsIn(call) : call.reply?.cursor ? [call.reply.cursor] : none
