import { existsSync } from 'node:fs'
import path from 'node:path'
import { type SoughtProgram } from '../check-binary.ts'
import { programFile, type Source } from './source.ts'

/** Creates a source that looks for a program in the folders of `PATH`. */
export const onPath = (program: SoughtProgram): Source => ({
  name: `${program} on the PATH`,
  look: async (_wanted, { machine }) => {
    const name = programFile(program, machine)
    const folders = (machine.env['PATH'] ?? '').split(path.delimiter).filter(Boolean)
    const paths = folders.map((folder) => path.join(folder, name)).filter((file) => existsSync(file))
    return paths.length > 0 ? { paths } : { nothing: 'none there' }
  },
})

/** The source that looks for `mongod` in the folders of `PATH`. */
export const searchPath = onPath('mongod')
