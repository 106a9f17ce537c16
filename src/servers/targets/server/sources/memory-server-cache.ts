import { existsSync } from 'node:fs'
import path from 'node:path'
import { listBinaries } from './list-binaries.ts'
import { type Source } from './source.ts'

/**
 * What mongodb-memory-server fetched earlier, for this project or another. We list its folders ourselves: its own look-up knows
 * one exact version only, and deletes files that it takes for broken.
 */
export const memoryServerCache: Source = {
  name: 'cache of mongodb-memory-server',
  look: async (_wanted, { machine: { env, home, workingFolder } }) => {
    const folders = [
      env['MONGOMS_DOWNLOAD_DIR'],
      path.join(home, '.cache', 'mongodb-binaries'),
      path.join(workingFolder, 'node_modules', '.cache', 'mongodb-memory-server'),
    ].filter((folder) => folder !== undefined)
    const binaries = (await Promise.all(folders.map((folder) => listBinaries(folder)))).flat()
    // The checksum beside a binary is written last: without it the file may be half of one.
    const paths = binaries.filter((binary) => existsSync(`${binary}.md5`))
    return paths.length > 0 ? { paths } : { nothing: 'empty' }
  },
}
