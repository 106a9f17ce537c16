import { onDemand } from 'bson'
import { bodyOffset } from '../../src/protocol/wire/frame.ts'

const opQuery = 2004
const moreToCome = 2
const sequenceKind = 1
const arrayType = 4

/** Whether a message is in the format of old, which only ever says hello. */
export const isQuery = (bytes: Buffer, start: number): boolean => bytes.readInt32LE(start + 12) === opQuery

/** Whether the client waits for a reply: it does not for writes with `w: 0`. */
export const wantsReply = (bytes: Buffer, start: number): boolean => ((bytes[start + 16] as number) & moreToCome) === 0

/** The name of a command: the first key of the document, which drivers put in front of all else. */
export function commandIn(bytes: Buffer, start: number): string {
  const nameAt = start + bodyOffset + 5
  return bytes.toString('latin1', nameAt, bytes.indexOf(0, nameAt))
}

const writes: ReadonlySet<string> = new Set(['insert', 'update', 'delete', 'bulkWrite'])

/** How many documents or statements a write carries, behind its document or as an array in it. Of all else 0. */
export function countIn(command: string, bytes: Buffer, start: number, end: number): number {
  if (!writes.has(command)) return 0
  const bodyAt = start + bodyOffset
  const sequenceAt = bodyAt + bytes.readInt32LE(bodyAt)
  return sequenceAt < end && bytes[sequenceAt] === sequenceKind
    ? countInSequence(bytes, sequenceAt + 1)
    : countInArray(bytes.subarray(bodyAt, sequenceAt))
}

function countInSequence(bytes: Buffer, start: number): number {
  const end = start + bytes.readInt32LE(start)
  let count = 0
  for (let at = bytes.indexOf(0, start + 4) + 1; at < end; at += bytes.readInt32LE(at)) count++
  return count
}

/** The statements are the only array of a write at its top. */
function countInArray(body: Buffer): number {
  const statements = [...onDemand.parseToElements(body)].find(([type]) => type === arrayType)
  return statements ? [...onDemand.parseToElements(body, statements[3])].length : 0
}
