import { existsSync } from 'node:fs'
import { access, constants, writeFile } from 'node:fs/promises'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describeErrorCode, Problem } from '../../core/errors.ts'
import { shippedPath } from '../../core/package-root.ts'
import { unwritableCode } from '../../results/files/results-file.ts'
import { foreignFile } from '../../spec/schema/data-file.ts'

/** The problem of a file that is not to be overwritten. */
export function existsAlready(file: string): Problem {
  const foreign = foreignFile(file)
  return foreign === undefined
    ? new Problem('usage', `${file} exists already`, { hint: 'Name another file, or add --force to overwrite it.' })
    : new Problem('usage', `${file} ${foreign}`, {
        hint: '`init` writes a spec: name another file for it, and this one as "file" in its "data".',
      })
}

/** Looks whether a spec can be written, before a server is asked for it. */
export async function requireWritable(file: string): Promise<void> {
  try {
    await access(dirname(file), constants.W_OK)
  } catch (error) {
    throw unwritable(file, error)
  }
}

const inOtherFolder = 'Name a file in an existing folder that you may write to.'

const unwritable = (file: string, cause: unknown): Problem =>
  new Problem(unwritableCode(describeErrorCode(cause)), `${file} cannot be written (${describeErrorCode(cause)})`, {
    hint: inOtherFolder,
    cause,
  })

/** Writes a spec; overwrites an existing file only with `force`. @param exists The problem of one. */
export async function writeNewSpec(
  file: string,
  text: string,
  force: boolean,
  exists: (file: string) => Problem = existsAlready,
): Promise<void> {
  try {
    await writeFile(file, text, { flag: force ? 'w' : 'wx' })
  } catch (error) {
    const code = describeErrorCode(error)
    if (code === 'EEXIST') throw exists(file)
    throw unwritable(file, error)
  }
}

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
