import { Readable, Writable } from 'node:stream'
import { type GridFSBucketReadStream, type GridFSBucketWriteStream } from 'mongodb'
import { describe, expect, test } from 'vitest'
import { type PendingCall } from '../../../../src/load/engines/deadlines.ts'
import { readFile, storeFile } from '../../../../src/load/engines/driver/bucket.ts'

const pieces = [1, 2, 3, 4].map((byte) => new Uint8Array(1000).fill(byte))
const inTime = (): PendingCall => ({ abandoned: false })

/** Takes pieces as a bucket does, and tells the pending's deadline to pass with one of them. */
function bucketFile(pending: PendingCall, lastInTime = Infinity) {
  const written: number[] = []
  let aborts = 0
  const stream = new Writable({
    highWaterMark: 1,
    write(piece: Uint8Array, _, done) {
      written.push(piece[0] ?? 0)
      if (written.length === lastInTime) pending.abandoned = true
      setImmediate(done)
    },
  })
  const abort = async (): Promise<void> => void (aborts += 1)
  return {
    stream: Object.assign(stream, { abort }) as unknown as GridFSBucketWriteStream,
    written,
    aborts: () => aborts,
  }
}

describe('a file that is stored', () => {
  test('is written piece by piece, to its end', async () => {
    const pending = inTime()
    const { stream, written, aborts } = bucketFile(pending)
    await storeFile(stream, pieces, pending)
    expect([written, aborts(), stream.writableFinished]).toEqual([[1, 2, 3, 4], 0, true])
  })

  test('is given up when its deadline has passed, and its chunks are removed', async () => {
    const pending = inTime()
    const { stream, written, aborts } = bucketFile(pending, 2)
    await expect(storeFile(stream, pieces, pending)).rejects.toSay('file-write-abandoned')
    expect([written, aborts(), stream.writableFinished, stream.destroyed]).toEqual([[1, 2], 1, false, true])
  })

  test('that the server refuses rejects with its reason', async () => {
    const stream = new Writable({ write: (_, __, done) => done(new Error('no space')) })
    await expect(storeFile(stream as GridFSBucketWriteStream, pieces, inTime())).rejects.toThrow('no space')
  })
})

const file = () => {
  let aborts = 0
  const stream = Readable.from(pieces)
  const abort = async (): Promise<void> => {
    aborts += 1
    stream.push(null)
    stream.destroy()
  }
  return { stream: Object.assign(stream, { abort }) as unknown as GridFSBucketReadStream, aborts: () => aborts }
}

describe('a file that is read', () => {
  test('is read to its end', async () => {
    const { stream, aborts } = file()
    expect([await readFile(stream, inTime()), aborts()]).toEqual([4000, 0])
  })

  test('is given up when its deadline has passed', async () => {
    const { stream, aborts } = file()
    const bytes = await readFile(stream, { abandoned: true })
    expect([bytes, aborts(), stream.destroyed]).toEqual([1000, 1, true])
  })
})
