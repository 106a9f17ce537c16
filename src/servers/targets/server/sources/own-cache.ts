import { type SoughtProgram } from '../check-binary.ts'
import { cacheFolder } from '../machine.ts'
import { listBinaries } from './list-binaries.ts'
import { type Source } from './source.ts'

/** Creates a source that lists the binaries of a program in the cache of mongo-perf. */
export const cachedBinaries = (program: SoughtProgram): Source => ({
  name: 'cache of mongo-perf',
  look: async (_wanted, { machine }) => {
    const paths = await listBinaries(cacheFolder(machine), program)
    return paths.length > 0 ? { paths } : { nothing: 'empty' }
  },
})

/** The source that lists the mongods in the cache of mongo-perf. */
export const ownCache = cachedBinaries('mongod')
