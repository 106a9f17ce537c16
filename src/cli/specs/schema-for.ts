import { existsSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { shippedPath } from '../../core/package-root.ts'

const ofThisProgram = shippedPath('spec.schema.json')
const onceInstalled = join('node_modules', 'mongo-perf', 'fixtures', 'spec.schema.json')

/**
 * The path of the JSON Schema of specs, relative to the folder of `file`: that of this program if it is below the working folder
 * (a clone, an installed package), else that of a package installed in the folder or above it, else the URL of that of this
 * program (a global installation, `npx`). Links are not followed.
 */
export function schemaFor(file: string, schema = ofThisProgram): string {
  const folder = resolve(dirname(file))
  const fromHere = relative('', schema)
  const isBelow = !fromHere.startsWith('..') && !isAbsolute(fromHere)
  const found = isBelow ? schema : installedAbove(folder)
  if (found === undefined) return pathToFileURL(schema).href
  const path = relative(folder, found).split(sep).join('/')
  return path.startsWith('.') ? path : `./${path}`
}

function installedAbove(folder: string): string | undefined {
  const path = join(folder, onceInstalled)
  if (existsSync(path)) return path
  const above = dirname(folder)
  return above === folder ? undefined : installedAbove(above)
}
