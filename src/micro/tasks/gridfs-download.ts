import { once } from 'node:events'
import { GridFSBucket } from 'mongodb'
import { freshBucket, upload } from '../bucket.ts'
import { type MicroTask } from '../task.ts'

/** Downloads a large file from GridFS. */
export const gridfsDownload: MicroTask = {
  name: 'gridfs-download',
  title: 'GridFS download',
  group: 'multi',
  countsIn: ['MultiBench', 'ReadBench'],
  data: ['gridfs_large.bin'],
  on: 'server',
  async prepare({ data, db }) {
    const content = await data.bytes('gridfs_large.bin')
    const id = await upload(await freshBucket(db), 'gridfstest', content)
    let bucket: GridFSBucket
    return {
      bytes: content.length,
      beforeEach() {
        bucket = new GridFSBucket(db)
      },
      iterate: () => once(bucket.openDownloadStream(id).resume(), 'end'),
    }
  },
}
