import { existsSync } from 'node:fs'
import path from 'node:path'
import { type Source } from './source.ts'

export const searchPath: Source = {
  name: 'mongod on the PATH',
  look: async (_wanted, { machine }) => {
    const name = machine.platform === 'win32' ? 'mongod.exe' : 'mongod'
    const folders = (machine.env['PATH'] ?? '').split(path.delimiter).filter(Boolean)
    const paths = folders.map((folder) => path.join(folder, name)).filter((file) => existsSync(file))
    return paths.length > 0 ? { paths } : { nothing: 'none there' }
  },
}
