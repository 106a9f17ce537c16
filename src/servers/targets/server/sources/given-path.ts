import path from 'node:path'
import { type Source } from './source.ts'

/** @param name Where people give it. */
export const namedPath = (name: string): Source => ({
  name,
  look: async ({ binary }, { machine }) =>
    binary === undefined ? { nothing: 'none given' } : { paths: [path.resolve(machine.workingFolder, binary)] },
})

/** The source that takes the path of the `mongod` from the spec or from `--mongod`. */
export const givenPath = namedPath('path in the spec or from --mongod')
