import { type FileHandle, open } from 'node:fs/promises'
import { z } from 'zod'
import { describeErrorCode, Problem } from '../../core/errors.ts'
import { MalformedBson } from '../../protocol/bson/malformed.ts'
import { readCall } from './encode-call.ts'
import { type FrameKind, frameStartBytes, magic, readFrameStart, unpackFrame } from './frames.ts'
import { headerSchema, type LeftOut, leftOutSchema, type RecordingEnd, type RecordingHeader } from './header.ts'
import { type RecordedCall } from './recorded-call.ts'
import { ByteReader } from './varints.ts'

/** A recording that is read. */
export type Recording = AsyncDisposable & {
  readonly header: RecordingHeader
  /**
   * Reads the calls, from the first on; may be called again. The bytes of a call stay as they are.
   * @throws {Problem} "recording-unreadable" with the offset of what cannot be read.
   */
  readonly calls: () => AsyncIterable<RecordedCall>
  /** The same in batches, as they are in the file: each call is read when it is asked for, and costs no promise. */
  readonly batches: () => AsyncIterable<Iterable<RecordedCall>>
  /** Undefined before `calls` or `batches` has come to an end. */
  readonly end: () => RecordingEnd | undefined
}

/** @throws {Problem} "recording-unreadable" when the file is missing, or is no recording. */
export async function openRecording(file: string): Promise<Recording> {
  const handle = await openFile(file)
  const close = (): Promise<void> => handle.close()
  try {
    const first = await framesOf(file, handle, 0).next()
    if (first.done || first.value.kind !== 'header') throw noRecording(file)
    const header = parseText(file, first.value, headerSchema)
    const start = first.value.end
    let end: RecordingEnd | undefined
    async function* batches(): AsyncGenerator<Iterable<RecordedCall>, void> {
      end = yield* readBatches(file, framesOf(file, handle, start))
    }
    return {
      header,
      async *calls() {
        for await (const batch of batches()) yield* batch
      },
      batches,
      end: () => end,
      [Symbol.asyncDispose]: close,
    }
  } catch (error) {
    await close()
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
      hint: 'Name a file that "mongo-perf record" wrote.',
      cause: error,
    })
  }
  throw noRecording(file)
}

const noRecording = (file: string): Problem =>
  new Problem('recording-unreadable', `${file} is no recording of this version of mongo-perf`, {
    hint: 'Name a file that "mongo-perf record" wrote.',
  })

const damaged = (file: string, offset: number, reason: string): Problem =>
  new Problem('recording-unreadable', `${file} is damaged at byte ${offset}: ${reason}`, {
    hint: 'Copy it again from its source. What is before that byte can be read.',
  })

/** A frame, unpacked, and its offsets in the file. */
type Frame = { readonly kind: FrameKind; readonly raw: Buffer; readonly start: number; readonly end: number }

/** Reads one frame after the other. @param from 0: the first. @returns the offset from where on no frame is whole. */
async function* framesOf(file: string, handle: FileHandle, from: number): AsyncGenerator<Frame, number> {
  const { size } = await handle.stat()
  for (let start = Math.max(from, magic.length); ;) {
    const startBytes = await readBytes(handle, start, frameStartBytes, size)
    if (startBytes === undefined) return start
    try {
      const frame = readFrameStart(startBytes)
      const packed = await readBytes(handle, start + frameStartBytes, frame.packedBytes, size)
      if (packed === undefined) return start
      const end = start + frameStartBytes + frame.packedBytes
      yield { kind: frame.kind, raw: unpackFrame(frame, packed), start, end }
      start = end
    } catch (error) {
      if (!(error instanceof MalformedBson)) throw error
      throw damaged(file, start, error.message)
    }
  }
}

/** Undefined: the file has fewer. Checked before anything is allocated. */
async function readBytes(
  handle: FileHandle,
  position: number,
  length: number,
  size: number,
): Promise<Buffer | undefined> {
  if (position + length > size) return undefined
  const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafeSlow(length), 0, length, position)
  return bytesRead === length ? buffer : undefined
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

  function* batchOf(frame: Frame): Generator<RecordedCall> {
    for (const call of callsIn(file, frame)) {
      calls++
      durationUs = Math.max(durationUs, call.startUs + (call.latencyUs ?? 0))
      yield call
    }
  }

  for (;;) {
    const next = await frames.next()
    if (next.done) return { calls, durationUs, leftOut, cutAt: next.value }
    const frame = next.value
    if (frame.kind === 'leftOut') leftOut = parseText(file, frame, leftOutSchema)
    if (frame.kind === 'end') return { ...parseText(file, frame, endSchema), calls, cutAt: null }
    if (frame.kind === 'calls') yield batchOf(frame)
  }
}

function* callsIn(file: string, { raw, start }: Frame): Generator<RecordedCall> {
  try {
    const size = new ByteReader(raw, 0, raw.length)
    const length = size.varint()
    const numbersStart = size.take(length)
    const numbers = new ByteReader(raw, numbersStart, numbersStart + length)
    const commands = new ByteReader(raw, numbersStart + length, raw.length)
    for (let previousUs = 0; numbers.at < numbers.end;) {
      const call = readCall(numbers, commands, previousUs)
      previousUs = call.startUs
      yield call
    }
  } catch (error) {
    if (!(error instanceof MalformedBson)) throw error
    throw damaged(file, start, error.message)
  }
}
