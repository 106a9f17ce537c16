import { type BsonWriter } from './writer.ts'

/**
 * Bytes left free in front of what is written for a call, so that a message can begin around documents where they stand,
 * and they need not be copied.
 */
export const headroomBytes = 1024

/** A value of a call that has been written as BSON: it lies between `start` and `end` until the next call is built. */
export class EncodedValue {
  readonly type: number
  readonly writer: BsonWriter
  readonly start: number
  readonly end: number

  constructor(type: number, writer: BsonWriter, start: number, end: number) {
    this.type = type
    this.writer = writer
    this.start = start
    this.end = end
  }
}
