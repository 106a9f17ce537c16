import { createWriteStream } from 'node:fs'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { GridFSBucket, type ObjectId } from 'mongodb'
import { freshBucket, upload } from '../bucket.ts'
import { sumFileSizes } from '../files.ts'
import { severalAtOnce } from '../repeat.ts'
import { type MicroTask } from '../task.ts'

/** Downloads several files from GridFS concurrently. */
export const gridfsMultiDownload: MicroTask = {
  name: 'gridfs-multi-download',
  title: 'GridFS multi-file download',
  group: 'parallel',
  countsIn: ['ParallelBench', 'ReadBench'],
  data: ['gridfs_multi'],
  on: 'server',
  async prepare({ data, db, workFolder }) {
    const files = await data.files('gridfs_multi')
    const filled = await freshBucket(db)
    const uploaded: { readonly id: ObjectId; readonly name: string }[] = []
    for (const file of files) {
      const name = basename(file)
      uploaded.push({ id: await upload(filled, name, await readFile(file)), name })
    }
    const folder = join(workFolder, 'gridfs_download')
    let bucket: GridFSBucket
    return {
      bytes: await sumFileSizes(files),
      async beforeEach() {
        await rm(folder, { recursive: true, force: true })
        await mkdir(folder)
        bucket = new GridFSBucket(db)
      },
      iterate: () =>
        severalAtOnce(uploaded, ({ id, name }) =>
          // Flushes to disk before the stream ends.
          pipeline(bucket.openDownloadStream(id), createWriteStream(join(folder, name), { flush: true })),
        ),
    }
  },
}
