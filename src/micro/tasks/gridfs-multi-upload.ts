import { createReadStream } from 'node:fs'
import { basename } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type GridFSBucket } from 'mongodb'
import { freshBucket } from '../bucket.ts'
import { sumFileSizes } from '../files.ts'
import { severalAtOnce } from '../repeat.ts'
import { type MicroTask } from '../task.ts'

/** Uploads several files to GridFS concurrently. */
export const gridfsMultiUpload: MicroTask = {
  name: 'gridfs-multi-upload',
  title: 'GridFS multi-file upload',
  group: 'parallel',
  countsIn: ['ParallelBench', 'WriteBench'],
  data: ['gridfs_multi'],
  on: 'server',
  async prepare({ data, db }) {
    const files = await data.files('gridfs_multi')
    let bucket: GridFSBucket
    return {
      bytes: await sumFileSizes(files),
      async beforeEach() {
        bucket = await freshBucket(db)
      },
      iterate: () =>
        severalAtOnce(files, (file) => pipeline(createReadStream(file), bucket.openUploadStream(basename(file)))),
    }
  },
}
