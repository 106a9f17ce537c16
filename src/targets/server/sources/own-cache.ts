import { cacheFolder } from '../machine.ts'
import { listBinaries } from './list-binaries.ts'
import { type Source } from './source.ts'

/** The source that lists the binaries in the cache of mongo-perf. */
export const ownCache: Source = {
  name: 'cache of mongo-perf',
  look: async (_wanted, { machine }) => {
    const paths = await listBinaries(cacheFolder(machine))
    return paths.length > 0 ? { paths } : { nothing: 'empty' }
  },
}
