import path from 'node:path'
import { type Plugin } from 'vitest/config'

const root = path.join(import.meta.dirname, '../..')
const source = /^(?:\.\.\/)+src\/(.*)\.ts$/

/**
 * Tests import what the compiler wrote in place of its sources: threads and helper processes need no compiler then, each of which
 * would cost three seconds of CPU time. The set-up of all tests writes them, and so imports the sources.
 */
export const builtFiles: Plugin = {
  name: 'built-files',
  enforce: 'pre',
  resolveId(imported, importer = '') {
    const [, file] = source.exec(imported) ?? []
    return file === undefined || importer.endsWith('/global-setup.ts')
      ? null
      : path.join(root, 'build/src', `${file}.js`)
  },
}
