import path from 'node:path'
import { type Source } from './source.ts'

/** Creates a source that takes the path of the binary from an environment variable. */
export const fromVariable = (variable: string): Source => ({
  name: `variable ${variable}`,
  look: async (_wanted, { machine }) => {
    const binary = machine.env[variable]
    return binary ? { paths: [path.resolve(machine.workingFolder, binary)] } : { nothing: 'not set' }
  },
})

/** The source that takes the path of the `mongod` from `MONGOMS_SYSTEM_BINARY`. */
export const environmentVariable = fromVariable('MONGOMS_SYSTEM_BINARY')
