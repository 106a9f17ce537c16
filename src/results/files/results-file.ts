import { readFile, type rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describeErrorCode, Problem, type ProblemCode } from '../../core/errors.ts'
import { makeFolder, refuseEndless, replaceFile, writeDurably } from '../../core/files.ts'
import { isWithin, pathText } from '../../core/json.ts'
import { printable } from '../../core/printable.ts'
import { type SchemaIssue } from '../../language/json-schema/reader.ts'
import { shippedReader } from '../../language/json-schema/shipped-reader.ts'
import { type Result } from '../schema.ts'
import { histogramFormat, isStoredHistogram } from '../stored-histogram.ts'
import { resultVersion } from '../version.ts'
import { unpackResult } from './pack-result.ts'

/** Creates the folder and writes a file to it, so that a bad path fails before a long run. */
export async function prepareOutput(folder: string): Promise<void> {
  const trial = join(folder, '.mongo-perf-trial')
  try {
    makeFolder(folder)
    await rm(trial, { force: true })
    await writeDurably(trial, 'trial', 'wx')
    await rm(trial)
  } catch (error) {
    throw unwritable(folder, error)
  }
}

/**
 * Replaces the file atomically.
 * @param moveFile For tests, which inspect both files between the two steps.
 */
export async function writeResult(
  path: string,
  content: { readonly format: string },
  moveFile?: typeof rename,
): Promise<void> {
  await replace(path, `${JSON.stringify(content)}\n`, moveFile)
}

/** Replaces a file such as a report atomically, so that an interruption leaves no picture that is cut off. */
export const writeOutput = (path: string, content: string | Uint8Array, moveFile?: typeof rename): Promise<void> =>
  replace(path, typeof content === 'string' ? printable(content) : content, moveFile)

async function replace(path: string, content: string | Uint8Array, moveFile?: typeof rename): Promise<void> {
  try {
    await replaceFile(path, content, moveFile)
  } catch (error) {
    throw unwritable(path, error)
  }
}

/** Reads a result of this version of the format. */
export async function readResult(path: string): Promise<Result> {
  return validateResult(path, unpackResult(parseFile(path, await readText(path))))
}

/** Reads what a file of this version holds. */
export const readAsResult = shippedReader<Result>('result.schema.json', { [histogramFormat]: isStoredHistogram })

export function validateResult(path: string, file: Readonly<Record<string, unknown>>): Result {
  refuseOtherVersion(path, file['version'])
  const read = readAsResult(file)
  if ('value' in read) return read.value
  throw new Problem('result-unreadable', `${path} is not a complete result:\n${firstIssues(read.issues)}`, {
    hint: 'The file was changed or truncated after it was written. Copy it again from its source, or run the spec again.',
  })
}

/** Refuses the result of an older or newer mongo-perf by its version. The schema refuses what is no version. */
function refuseOtherVersion(path: string, version: unknown): void {
  if (typeof version !== 'number' || !Number.isInteger(version) || version < 1 || version === resultVersion) return
  throw new Problem(
    'result-unreadable',
    `${path} has version ${version} of the format, and this tool reads version ${resultVersion}`,
    {
      hint:
        version > resultVersion
          ? 'It was written by a newer mongo-perf. Read it with that one: npx mongo-perf@latest'
          : 'It was written by an older mongo-perf. Read it with that one, or run the spec again.',
    },
  )
}

async function readText(path: string): Promise<string> {
  refuseEndless(path)
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    throw new Problem('result-unreadable', `${path} cannot be read (${describeErrorCode(error)})`, {
      hint: readHints.get(describeErrorCode(error)) ?? 'Check the path and its permissions.',
      cause: error,
    })
  }
}

const readHints: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'There is no such file. A run writes <out>/<spec name>/result.json.'],
  ['EISDIR', 'That is a folder. Name the result.json in it.'],
])

function parseFile(path: string, text: string): Readonly<Record<string, unknown>> {
  const file = parseJson(path, text)
  refuseDeep(path, file)
  if (typeof file === 'object' && file !== null && 'format' in file && file.format === 'mongo-perf-result')
    return { ...file }
  throw new Problem(
    'result-unreadable',
    `${path} is not a result of mongo-perf: its "format" is not "mongo-perf-result"`,
    { hint: 'Name a result.json that "mongo-perf run" wrote, not a spec.' },
  )
}

/** The deepest nesting of a spec, and of a result around it. */
const maxLevels = 200

/** Refuses what has more levels than any result, before anything recurses over it. */
export function refuseDeep(path: string, file: unknown): void {
  if (!isWithin(maxLevels, file))
    throw new Problem('result-unreadable', `${path} is nested deeper than ${maxLevels} levels`, {
      hint: 'mongo-perf writes no such file: copy it again from its source.',
    })
}

function parseJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Problem('result-unreadable', `${path} is not JSON`, {
      hint: 'Name a result.json that "mongo-perf run" wrote.',
      cause: error,
    })
  }
}

const issuesShown = 3

function firstIssues(issues: readonly SchemaIssue[]): string {
  const lines = issues.slice(0, issuesShown).map(({ path, reason }) => `  ${pathText(path)}: ${reason}`)
  const more = issues.length - issuesShown
  return [...lines, ...(more > 0 ? [`  and ${more} more`] : [])].join('\n')
}

/** The problem that a file or folder cannot be written, with a hint by error code. */
export function unwritable(path: string, error: unknown): Problem {
  const code = describeErrorCode(error)
  return new Problem(unwritableCode(code), `${path} cannot be written (${code})`, {
    hint: writeHints.get(code) ?? 'Choose another folder with --out.',
    cause: error,
  })
}

/** The code of the problem with a file that cannot be written, by the error of the system: a full disk is no fault of the command line. */
export const unwritableCode = (code: string | undefined): ProblemCode =>
  code === 'ENOSPC' || code === 'EDQUOT' ? 'disk-full' : 'output-unwritable'

const writeHints: ReadonlyMap<string, string> = new Map([
  ['ENOSPC', 'The disk is full. Free some space or choose another folder with --out.'],
  ['EDQUOT', 'Your quota of this disk is used up. Free some space or choose another folder with --out.'],
  ['EACCES', 'You may not write there. Choose another folder with --out.'],
  ['EROFS', 'That file system is read-only. Choose another folder with --out.'],
  ['EEXIST', 'There is a file of that name where a folder is needed. Choose another folder with --out.'],
  ['ENOTDIR', 'A part of that path is a file, not a folder. Choose another folder with --out.'],
])
