import { pipeline } from 'node:stream/promises'
import { type Db, type GridFSBucketReadStream, type GridFSBucketWriteStream, type ObjectId } from 'mongodb'
import { type PendingCall } from '../deadlines.ts'
import { type DriverModule } from './client-options.ts'

type FileOptions = { readonly id?: unknown; readonly [option: string]: unknown }

/** A bucket with one method for either direction, whether a file has an `_id` of the spec's or is known by its name. */
export type Bucket = {
  readonly openUploadStream: (filename: string, options: FileOptions) => GridFSBucketWriteStream
  readonly openDownloadStream: (filename: string, options: FileOptions) => GridFSBucketReadStream
}

/** Takes its concerns from the database. */
export function openBucket(driver: DriverModule, database: Db, bucketName: string): Bucket {
  const bucket = new driver.GridFSBucket(database, { bucketName })
  return {
    openUploadStream(filename, { id, ...options }) {
      const stream = bucket.openUploadStream(filename, options)
      // `openUploadStreamWithId` takes an `_id` of 0 for none, and makes one up.
      if (id !== undefined) stream.id = id as ObjectId
      return stream
    },
    openDownloadStream: (filename, { id, ...options }) =>
      id === undefined
        ? bucket.openDownloadStreamByName(filename, options)
        : bucket.openDownloadStream(id as ObjectId, options),
  }
}

/** Stores a file, one chunk after the other, as one that is piped into the bucket. */
export async function storeFile(
  stream: GridFSBucketWriteStream,
  pieces: readonly Uint8Array[],
  pending: PendingCall,
): Promise<void> {
  try {
    await pipeline(whileWanted(pieces, pending), stream)
  } catch (error) {
    // No chunk may stay behind of a file that will never be whole; only now, when nothing waits for it, is there time.
    if (pending.abandoned) await stream.abort().catch(() => {})
    throw error
  }
}

function* whileWanted(pieces: readonly Uint8Array[], pending: PendingCall): Iterable<Uint8Array> {
  for (const piece of pieces) {
    if (pending.abandoned) throw new Error('The deadline has passed')
    yield piece
  }
}

/** Reads a file to its end, and keeps nothing of it. Resolves to its bytes. */
export async function readFile(stream: GridFSBucketReadStream, pending: PendingCall): Promise<number> {
  let bytes = 0
  for await (const piece of stream) {
    bytes += (piece as Uint8Array).byteLength
    if (pending.abandoned) await stream.abort().catch(() => {})
  }
  return bytes
}
