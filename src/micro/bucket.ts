import { finished } from 'node:stream/promises'
import { type Db, GridFSBucket, type ObjectId } from 'mongodb'
import { bucketCollections, dropCollections } from './collections.ts'

/** An empty bucket. Uploading a file of one byte creates its collections and indexes. */
export async function freshBucket(db: Db): Promise<GridFSBucket> {
  await dropCollections(db, bucketCollections)
  const bucket = new GridFSBucket(db)
  await upload(bucket, 'init', Buffer.alloc(1))
  return bucket
}

/** Uploads a file from memory and returns its _id. */
export async function upload(bucket: GridFSBucket, name: string, content: Buffer): Promise<ObjectId> {
  const stream = bucket.openUploadStream(name)
  stream.end(content)
  await finished(stream)
  return stream.id
}
