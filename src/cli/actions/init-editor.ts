import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describeErrorCode, Problem } from '../../core/errors.ts'
import { isObject, type Json, type JsonObject } from '../../core/json.ts'
import { shippedPath } from '../../core/package-root.ts'
import { unwritableCode } from '../../results/files/results-file.ts'
import { parseJson } from '../../spec/parse/parse-json.ts'
import { printSpec } from '../../spec/parse/print-spec.ts'
import { type CliContext } from '../cli-context.ts'
import { schemaFor } from '../specs/new-spec-file.ts'

const folder = '.vscode'

/** The files, and what they bring. */
const files: Readonly<Record<string, string>> = {
  'settings.json': 'completion, descriptions and checks in mongo-perf.json and *.mongo-perf.json',
  'tasks.json': 'the tasks "mongo-perf: check this spec" and "mongo-perf: run this spec"',
  'mongo-perf.code-snippets': 'snippets, whose names begin with "mp-"',
}

/** The place where the files that ship expect the package. */
const usualPackage = './node_modules/mongo-perf'

/**
 * Writes settings, tasks and snippets of VS Code into the working folder. A file that exists stays as it is: what it lacks is printed.
 * @throws {Problem} "usage" where no installed package is found, to which they could refer.
 */
export async function writeEditorFiles(cli: CliContext): Promise<void> {
  const installed = findPackage()
  for (const [name, purpose] of Object.entries(files)) {
    const shipped = await readFile(shippedPath('editor', name), 'utf8')
    cli.printStatus(await addFile(path.join(folder, name), shipped.replaceAll(usualPackage, installed), purpose))
  }
  cli.printStatus('next, in VS Code: open a new file such as orders.mongo-perf.json, and press Ctrl+Space\n')
}

function findPackage(): string {
  const schema = schemaFor('mongo-perf.json')
  if (schema.startsWith('file:'))
    throw new Problem('usage', 'mongo-perf is not installed in this folder or above it', {
      hint: 'Install it first: npm install --save-dev mongo-perf. Settings and tasks refer to its files.',
    })
  return path.posix.dirname(path.posix.dirname(schema))
}

/** Writes a file unless it exists, and returns what to print. */
async function addFile(file: string, text: string, purpose: string): Promise<string> {
  try {
    await mkdir(folder, { recursive: true })
    await writeFile(file, text, { flag: 'wx' })
    return `written to ${file}: ${purpose}\n`
  } catch (error) {
    const code = describeErrorCode(error)
    // A file in place of the folder is reported with the same code.
    const existing = code === 'EEXIST' ? await readFile(file, 'utf8').catch(() => undefined) : undefined
    if (existing === undefined)
      throw new Problem(unwritableCode(code), `${file} cannot be written (${code})`, {
        hint: 'Run it in a folder that you may write to.',
        cause: error,
      })
    const missing = findMissing(readJson(existing, file), parseJson(text, file).value)
    return missing === undefined
      ? `${file} has all of it already\n`
      : `${file} exists, and stays as it is. Add to it:\n${printSpec(missing)}`
  }
}

/** The content of a file of the user. Undefined where it is no JSON with comments. */
function readJson(text: string, file: string): Json | undefined {
  try {
    return parseJson(text, file).value
  } catch (error) {
    if (error instanceof Problem) return undefined
    throw error
  }
}

/** The part of a wanted value that another one lacks: keys of objects, items of lists. Undefined where it lacks nothing. */
function findMissing(given: Json | undefined, wanted: Json): Json | undefined {
  if (isObject(wanted) && isObject(given)) {
    const parts = Object.entries(wanted as JsonObject).flatMap(([key, value]) => {
      const part = findMissing((given as JsonObject)[key], value)
      return part === undefined ? [] : [[key, part] as const]
    })
    return parts.length === 0 ? undefined : Object.fromEntries(parts)
  }
  if (Array.isArray(wanted) && Array.isArray(given)) {
    const has = new Set((given as readonly Json[]).map((item) => JSON.stringify(item)))
    const items = (wanted as readonly Json[]).filter((item) => !has.has(JSON.stringify(item)))
    return items.length === 0 ? undefined : items
  }
  return JSON.stringify(given) === JSON.stringify(wanted) ? undefined : wanted
}
