import { existsSync } from 'node:fs'
import path from 'node:path'
import { programFile, type Source } from './source.ts'

/** A `mongos` in the folder of a `mongod`: what is unpacked or installed by hand has both. */
export const besideMongod = (mongod: string | undefined): Source => ({
  name: 'mongos beside the mongod',
  look: async (_wanted, { machine }) => {
    if (mongod === undefined) return { nothing: 'there is no mongod' }
    const file = path.join(path.dirname(mongod), programFile('mongos', machine))
    return existsSync(file) ? { paths: [file] } : { nothing: 'none there' }
  },
})
