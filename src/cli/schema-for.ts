import { dirname, isAbsolute, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const ofThisProgram = fileURLToPath(new URL('../../fixtures/spec.schema.json', import.meta.url))
const onceInstalled = join('node_modules', 'mongo-perf', 'fixtures', 'spec.schema.json')

/**
 * The schema of specs, as seen from the folder of `file`: that of this program where it lies below the working folder
 * (a clone, an installed package), else where an installed package has it. Links are not followed.
 */
export function schemaFor(file: string, schema = ofThisProgram): string {
  const fromHere = relative('', schema)
  const isBelow = !fromHere.startsWith('..') && !isAbsolute(fromHere)
  const path = relative(dirname(file), isBelow ? schema : onceInstalled)
    .split(sep)
    .join('/')
  return path.startsWith('.') ? path : `./${path}`
}
