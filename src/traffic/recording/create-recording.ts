import { constants } from 'node:fs'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Problem } from '../../core/errors.ts'
import { makeFolder } from '../../core/files.ts'
import { RecentMap } from '../../core/recent-map.ts'
import { toolVersion } from '../../core/versions.ts'
import { BsonWriter } from '../../protocol/bson/writer.ts'
import { unwritable } from '../../results/files/results-file.ts'
import { writeCall } from './encode-call.ts'
import { type FrameKind, frameBytes, magic, packFrame } from './frames.ts'
import type { LeftOut, RecordingHeader } from './header.ts'
import { hideValues } from './hide-values.ts'
import { type RecordedCall, reasonCallKeptOut } from './recorded-call.ts'
import { writeVarint } from './varints.ts'

export type RecordingWriter = {
  /**
   * Takes a call, and never waits: if the disk is too slow, the call is dropped and counted. Its bytes must not change
   * afterwards. Logins are never written, whatever the source.
   */
  readonly add: (call: RecordedCall) => void
  /** Counts calls that are left out. @param calls Default: one. */
  readonly leaveOut: (reason: string, calls?: number) => void
  /** Writes the calls that wait for the next one: it may not come. @param nowUs Time since the recording began. */
  readonly flush: (nowUs: number) => void
  /** Resolves when all full frames are written. A source that can wait for it loses no call. */
  readonly drained: () => Promise<void>
  /** Why writing has stopped. Undefined: it has not. */
  readonly failure: () => Problem | undefined
  /**
   * Writes the remaining calls and the end of the recording.
   * @param durationUs Duration of the whole recording.
   * @throws {Problem} "output-unwritable" or "disk-full", also when an earlier write failed.
   */
  readonly close: (durationUs: number) => Promise<WrittenRecording>
  /** Closes and removes the file, when its source has failed. */
  readonly discard: () => Promise<void>
}

export type WrittenRecording = {
  readonly calls: number
  /** Connections with calls. */
  readonly connections: number
  readonly bytes: number
  readonly leftOut: LeftOut
}

/** A connection or session that returns after this many others is counted again. */
export const minKept = 20_000

/** How long calls wait for one that began earlier, so that they are written in the order of their starts, in ms. */
export const reorderMs = 10_000
/** Maximum size of the calls that wait for an earlier one, in bytes. */
const maxHeldBytes = 16 * 1024 * 1024
/** Maximum size of all calls in memory, in bytes. Calls beyond it are dropped. */
const maxBufferedBytes = 64 * 1024 * 1024
/** Maximum time between writes while calls arrive, in µs. */
const flushUs = 1_000_000
/** Approximate size of a call without its command, in bytes. */
const bytesBesideCommand = 64

/** The reason for calls that were dropped because the disk was too slow. */
export const droppedReason = 'calls that came faster than the disk takes them'

/**
 * Creates a recording, which only its owner may read, and the folders above it.
 * @param oldestOpenUs Start of the oldest call that has not been added yet, in µs. Default: not known, and calls wait for ten seconds.
 * @throws {Problem} "output-unwritable" when the file exists, or cannot be created.
 */
export async function createRecording(
  file: string,
  header: Omit<RecordingHeader, 'toolVersion'>,
  oldestOpenUs: () => number = () => 0,
): Promise<RecordingWriter> {
  const handle = await createFile(file)
  const out = createFrameQueue(file, handle)
  const hide = hideValues(header.values)
  const leftOut: Record<string, number> = {}
  let held: RecordedCall[] = []
  let heldBytes = 0
  let freshBytes = 0
  let newestUs = 0
  let flushedUs = 0
  let [calls, connections] = [0, 0]
  const seen = new RecentMap<number, true>(minKept)
  let isNoted = true

  out.text('header', { ...header, toolVersion: toolVersion() })
  await out.drained()

  function leaveOut(reason: string, number = 1): void {
    leftOut[reason] = (leftOut[reason] ?? 0) + number
    isNoted = false
  }

  /** Writes the calls that began before `limitUs`: no earlier one is to come. */
  function flush(limitUs: number): void {
    flushedUs = newestUs
    freshBytes = 0
    const ready = held.filter(({ startUs }) => startUs < limitUs).toSorted((a, b) => a.startUs - b.startUs)
    held = held.filter(({ startUs }) => startUs >= limitUs)
    heldBytes = held.reduce((sum, call) => sum + measureSize(call), 0)
    calls += ready.length
    for (const { connection } of ready) {
      if (seen.get(connection) === undefined) connections++
      seen.set(connection, true)
    }
    packCalls(ready, out.frame)
    if (!isNoted) out.text('leftOut', leftOut)
    isNoted = true
  }

  return {
    add(call) {
      const keptOut = reasonCallKeptOut(call)
      if (keptOut !== undefined) return leaveOut(keptOut)
      const bytes = measureSize(call)
      const buffered = heldBytes + out.bytes()
      if (out.failure() !== undefined || (buffered > 0 && buffered + bytes > maxBufferedBytes))
        return leaveOut(droppedReason)
      // One by one, and not all at once when they are written: that would delay clients.
      held.push(hide(call))
      heldBytes += bytes
      freshBytes += bytes
      newestUs = Math.max(newestUs, call.startUs)
      if (heldBytes >= maxHeldBytes) flush(Infinity)
      else if (freshBytes >= frameBytes || newestUs - flushedUs >= flushUs)
        flush(Math.max(oldestOpenUs(), newestUs - reorderMs * 1000))
    },
    leaveOut,
    flush(nowUs) {
      if (held.length > 0 || !isNoted) flush(Math.max(oldestOpenUs(), nowUs - reorderMs * 1000))
    },
    drained: out.drained,
    failure: out.failure,
    async close(durationUs) {
      flush(Infinity)
      out.text('end', { durationUs: Math.max(durationUs, newestUs), calls, leftOut })
      await out.drained()
      await handle.close()
      const failure = out.failure()
      if (failure !== undefined) throw failure
      return { calls, connections, bytes: out.written(), leftOut }
    },
    async discard() {
      await out.drained()
      await handle.close()
      await rm(file)
    },
  }
}

const measureSize = ({ command }: RecordedCall): number => command.length + bytesBesideCommand

async function createFile(file: string): Promise<FileHandle> {
  try {
    makeFolder(dirname(file))
    const { O_CREAT, O_EXCL, O_WRONLY, O_APPEND } = constants
    return await open(file, O_CREAT | O_EXCL | O_WRONLY | O_APPEND, 0o600)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw unwritable(file, error)
    throw new Problem('output-unwritable', `${file} exists`, {
      hint: 'Recordings are never overwritten: name another file with --out, or remove this one.',
    })
  }
}

function packCalls(calls: readonly RecordedCall[], take: (kind: FrameKind, raw: Buffer) => void): void {
  const numbers = new BsonWriter(16 * 1024)
  const commands = new BsonWriter(frameBytes)
  let previousUs = 0
  const end = (): void => {
    if (commands.at === 0) return
    const size = new BsonWriter(16)
    writeVarint(size, numbers.at)
    take('calls', Buffer.concat([size, numbers, commands].map(({ bytes, at }) => bytes.subarray(0, at))))
    numbers.at = commands.at = previousUs = 0
  }
  for (const call of calls) {
    if (numbers.at + commands.at + measureSize(call) > frameBytes) end()
    writeCall(numbers, commands, call, previousUs)
    previousUs = call.startUs
  }
  end()
}

/** Compresses and writes frames in order. It stops at the first failure, so that no frame is missing before another. */
function createFrameQueue(file: string, handle: FileHandle) {
  let waiting = 0
  let written = 0
  let failure: Problem | undefined
  let last: Promise<void> = append(() => magic)

  async function append(bytes: () => Buffer | Promise<Buffer>): Promise<void> {
    if (failure !== undefined) return
    try {
      const packed = await bytes()
      await handle.appendFile(packed)
      written += packed.length
    } catch (error) {
      failure = unwritable(file, error)
    }
  }

  function frame(kind: FrameKind, raw: Buffer): void {
    waiting += raw.length
    last = last.then(() => append(() => packFrame(kind, raw))).then(() => void (waiting -= raw.length))
  }

  return {
    frame,
    text: (kind: FrameKind, content: object) => frame(kind, Buffer.from(JSON.stringify(content))),
    drained: () => last,
    /** Size of the frames that wait, before compression. */
    bytes: () => waiting,
    written: () => written,
    failure: () => failure,
  }
}
