import path from 'node:path'
import { type Source } from './source.ts'

export const fromVariable = (variable: string): Source => ({
  name: `variable ${variable}`,
  look: async (_wanted, { machine }) => {
    const binary = machine.env[variable]
    return binary ? { paths: [path.resolve(machine.workingFolder, binary)] } : { nothing: 'not set' }
  },
})

export const environmentVariable = fromVariable('MONGOMS_SYSTEM_BINARY')
