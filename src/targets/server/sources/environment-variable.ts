import path from 'node:path'
import { type Source } from './source.ts'

export const environmentVariable: Source = {
  name: 'variable MONGOMS_SYSTEM_BINARY',
  look: async (_wanted, { machine }) => {
    const binary = machine.env['MONGOMS_SYSTEM_BINARY']
    return binary ? { paths: [path.resolve(machine.workingFolder, binary)] } : { nothing: 'not set' }
  },
}
