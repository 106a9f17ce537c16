import { type FileHandle, open } from 'node:fs/promises'
import { z } from 'zod'
import { Problem, describeErrorCode } from '../../core/errors.ts'
import { groupDigits } from '../../core/quantities.ts'
import { MalformedBson } from '../../protocol/bson/types.ts'
import { readCall } from './encode-call.ts'
import {
  type FrameKind,
  frameBytes,
  frameStartBytes,
  magic,
  maxRawBytes,
  readFrameStart,
  unpackFrame,
} from './frames.ts'
import { type LeftOut, type RecordingEnd, type RecordingHeader, headerSchema, leftOutSchema } from './header.ts'
import type { RecordedCall } from './recorded-call.ts'
import { ByteReader } from './varints.ts'

/** A recording that is open for reading. */
export type Recording = AsyncDisposable & {
  readonly header: RecordingHeader
  /**
   * Reads all calls, in the batches of the file. May be called again. Each call is decoded when it is requested.
   * @param bytes "kept": the bytes of calls stay valid. Default: the next batch overwrites them.
   * @throws {Problem} "recording-unreadable" with the offset of the damage.
   */
  readonly batches: (bytes?: 'kept') => AsyncIterable<Iterable<RecordedCall>>
  /** How it ended. Undefined until `batches` has been read to its end. */
  readonly end: () => RecordingEnd | undefined
}

/** Opens a recording. @param freeBytes For tests. @throws {Problem} "recording-unreadable" when it is missing, or none. */
export async function openRecording(file: string, freeBytes = 1024 ** 3): Promise<Recording> {
  const handle = await openFile(file)
  try {
    const first = await framesOf(file, handle, 0, ownRoom, freeBytes).next()
    if (first.done || first.value.kind !== 'header') throw noRecording(file)
    const header = parseText(file, first.value, headerSchema)
    const start = first.value.end
    let end: RecordingEnd | undefined
    return {
      header,
      async *batches(bytes) {
        const room = bytes === 'kept' ? ownRoom : oneRoom()
        end = yield* readBatches(file, framesOf(file, handle, start, room, freeBytes))
      },
      end: () => end,
      [Symbol.asyncDispose]: () => handle.close(),
    }
  } catch (error) {
    await handle.close()
    throw error
  }
}

async function openFile(file: string): Promise<FileHandle> {
  try {
    const handle = await open(file, 'r')
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(magic.length), 0, magic.length, 0)
    if (bytesRead === magic.length && buffer.equals(magic)) return handle
    await handle.close()
  } catch (error) {
    throw new Problem('recording-unreadable', `${file} cannot be read (${describeErrorCode(error)})`, {
      hint,
      cause: error,
    })
  }
  throw noRecording(file)
}

const hint = 'Name a file that "mongo-perf record" wrote.'

const noRecording = (file: string): Problem =>
  new Problem('recording-unreadable', `${file} is not a recording of this version of mongo-perf`, { hint })

const damaged = (file: string, offset: number, reason: string): Problem =>
  new Problem('recording-unreadable', `${file} is damaged at byte ${offset}: ${reason}`, {
    hint: 'Copy it again from its source. What is before that byte can be read.',
  })

const damagedBy = (error: unknown, file: string, offset: number): unknown =>
  error instanceof MalformedBson ? damaged(file, offset, error.message) : error

/** An unpacked frame, and its offsets in the file. */
type Frame = { readonly kind: FrameKind; readonly raw: Buffer; readonly start: number; readonly end: number }

/** Bound of what frames become, together, beside a gigabyte: this many times their size. Traffic becomes ten to fifty times as large. */
const maxRatio = 100

const ownRoom = (bytes: number): Buffer => Buffer.allocUnsafeSlow(bytes)

/** One buffer for all frames in turn. Memory that is not written to costs nothing. */
function oneRoom(): (bytes: number) => Buffer {
  const room = Buffer.allocUnsafeSlow(maxRawBytes)
  return (bytes) => room.subarray(0, bytes)
}

/**
 * Reads frames in order.
 * @param from Offset of the first one to read. 0: the first in the file.
 * @param roomFor Provides the buffer for an unpacked frame.
 * @returns the offset of the first incomplete frame.
 */
async function* framesOf(
  file: string,
  handle: FileHandle,
  from: number,
  roomFor: (bytes: number) => Buffer,
  freeBytes: number,
): AsyncGenerator<Frame, number> {
  const { size } = await handle.stat()
  let unpacked = 0
  for (let start = Math.max(from, magic.length); ;) {
    const packedAt = start + frameStartBytes
    const startBytes = await readBytes(handle, start, frameStartBytes)
    if (startBytes.length < frameStartBytes) return start
    try {
      const frame = readFrameStart(startBytes)
      const end = packedAt + frame.packedBytes
      if (end > size) return start
      unpacked += frame.rawBytes
      if (unpacked > Math.max(freeBytes, maxRatio * end))
        throw new MalformedBson(`it unpacks to more than ${groupDigits(unpacked - frame.rawBytes)} bytes`)
      const raw = roomFor(frame.rawBytes)
      await unpackFrame(frame, () => readPieces(handle, packedAt, end), raw)
      yield { kind: frame.kind, raw, start, end }
      start = end
    } catch (error) {
      throw damagedBy(error, file, start)
    }
  }
}

async function* readPieces(handle: FileHandle, from: number, to: number): AsyncGenerator<Buffer, void, undefined> {
  for (let at = from; at < to; at += frameBytes) yield await readBytes(handle, at, Math.min(frameBytes, to - at))
}

/** Reads bytes: fewer than asked for where the file has been truncated meanwhile. */
async function readBytes(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafeSlow(length), 0, length, position)
  return buffer.subarray(0, bytesRead)
}

const endSchema = z.strictObject({ durationUs: z.number(), calls: z.number(), leftOut: leftOutSchema })

function parseText<Content>(file: string, { raw, start }: Frame, schema: z.ZodType<Content>): Content {
  try {
    return schema.parse(JSON.parse(raw.toString()))
  } catch {
    throw damaged(file, start, 'a text that mongo-perf does not write')
  }
}

async function* readBatches(
  file: string,
  frames: AsyncGenerator<Frame, number>,
): AsyncGenerator<Iterable<RecordedCall>, RecordingEnd> {
  let calls = 0
  let durationUs = 0
  let leftOut: LeftOut = {}

  function note({ startUs, latencyUs }: RecordedCall): void {
    calls++
    durationUs = Math.max(durationUs, startUs + (latencyUs ?? 0))
  }

  for (;;) {
    const next = await frames.next()
    if (next.done) return { calls, durationUs, leftOut, cutAt: next.value }
    const frame = next.value
    if (frame.kind === 'leftOut') leftOut = parseText(file, frame, leftOutSchema)
    if (frame.kind === 'end') return { ...parseText(file, frame, endSchema), calls, cutAt: null }
    if (frame.kind === 'calls') yield callsIn(file, frame, note)
  }
}

/** Decodes the calls of a frame. @param note Called with each call before it is yielded. */
function* callsIn(file: string, { raw, start }: Frame, note: (call: RecordedCall) => void): Generator<RecordedCall> {
  try {
    const size = new ByteReader(raw, 0, raw.length)
    const length = size.varint()
    const numbersStart = size.take(length)
    const numbers = new ByteReader(raw, numbersStart, numbersStart + length)
    const commands = new ByteReader(raw, numbersStart + length, raw.length)
    for (let previousUs = 0; numbers.at < numbers.end;) {
      const call = readCall(numbers, commands, previousUs)
      previousUs = call.startUs
      note(call)
      yield call
    }
    const left = raw.length - commands.at
    if (left !== 0) throw new MalformedBson(`${groupDigits(left)} bytes behind the last call`)
  } catch (error) {
    throw damagedBy(error, file, start)
  }
}
