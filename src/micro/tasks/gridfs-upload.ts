import { type GridFSBucket } from 'mongodb'
import { freshBucket, upload } from '../bucket.ts'
import { type MicroTask } from '../task.ts'

/** Uploads a large file to GridFS. */
export const gridfsUpload: MicroTask = {
  name: 'gridfs-upload',
  title: 'GridFS upload',
  group: 'multi',
  countsIn: ['MultiBench', 'WriteBench'],
  data: ['gridfs_large.bin'],
  on: 'server',
  async prepare({ data, db }) {
    const content = await data.bytes('gridfs_large.bin')
    let bucket: GridFSBucket
    return {
      bytes: content.length,
      async beforeEach() {
        bucket = await freshBucket(db)
      },
      iterate: () => upload(bucket, 'gridfstest', content),
    }
  },
}
