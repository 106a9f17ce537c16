import path from 'node:path'
import { type Source } from './source.ts'

export const givenPath: Source = {
  name: 'path in the spec or from --mongod',
  look: async ({ binary }, { machine }) =>
    binary === undefined ? { nothing: 'none given' } : { paths: [path.resolve(machine.workingFolder, binary)] },
}
