import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { Problem } from '../../core/errors.ts'
import { type JsonObject } from '../../core/json.ts'
import { unwritable } from '../../results/files/results-file.ts'
import { matches, type Recording, type RecordRequest, type RecordedTest, Unsupported, wholeFile } from './recorded.ts'
import { testSpec } from './to-spec.ts'

/** Files of a checkout, by their paths. */
export type Checkout = {
  /** Folder in which the paths that tests `load` begin. */
  readonly folder: string
  /** Files of test cases, by name. */
  readonly files: readonly string[]
  /** Files that the official runner loads before them. */
  readonly before: readonly string[]
}

/** Outcome of importing a test. */
export type ImportedTest = {
  readonly name: string
  /** Its file, relative to the checkout. */
  readonly source: string
} & (
  | { readonly kind: 'imported'; readonly spec: string; readonly allow: readonly string[] }
  | { readonly kind: 'refused'; readonly reason: string }
)

/** How tests are imported. */
export type ImportOptions = Pick<RecordRequest, 'tests' | 'threads' | 'seconds' | 'memoryMB'> & {
  /** The folder for specs and their data. */
  readonly out: string
  /** Passes on one recording at a time, because each may be large. */
  readonly record: (request: RecordRequest, onRecording: (recording: Recording) => Promise<void>) => Promise<void>
  /** Writes a spec. @throws {Problem} with its issues where it is not valid. */
  readonly printSpec: (spec: JsonObject, file: string, allow: readonly string[]) => string
  readonly onFile?: (source: string) => void
}

/**
 * Finds the files of test cases: of a checkout those in `testcases`, of any other folder its own, or one file. What the official
 * runner loads before them is in `util` of the checkout; other files without tests, beside them, are loaded too.
 * @throws {Problem} "usage" where there are none.
 */
export async function findCheckout(given: string): Promise<Checkout> {
  const isFile = (await stat(given).catch(() => undefined))?.isFile() ?? false
  const below = isFile ? [] : await scriptsIn(join(given, 'testcases'))
  const cases = isFile ? dirname(given) : below.length > 0 ? join(given, 'testcases') : given
  const parent = resolve(cases, '..')
  const isCheckout = basename(resolve(cases)) === 'testcases' && (await scriptsIn(join(parent, 'util'))).length > 0
  const folder = isCheckout ? parent : resolve(below.length > 0 ? given : cases)
  const scripts = await Promise.all((await scriptsIn(cases)).map(readScript))
  const own = isFile ? [resolve(given)] : scripts.filter(({ hasTests }) => hasTests).map(({ file }) => file)
  const helpers = scripts.filter(({ file, hasTests }) => !hasTests && !own.includes(file)).map(({ file }) => file)
  if (own.length === 0)
    throw new Problem('usage', `There are no test cases in ${given}`, {
      hint: 'Name a clone of mongodb/mongo-perf, a folder of such .js files, or one of them.',
    })
  return { folder, files: own, before: [...(await scriptsIn(join(folder, 'util'))), ...helpers] }
}

type Script = { readonly file: string; readonly hasTests: boolean }

/** A file that never names the list of tests is a helper of others. One that cannot be read is refused where it is run. */
const readScript = async (file: string): Promise<Script> => ({
  file,
  hasTests: /\btests\b/.test(await readFile(file, 'utf8').catch(() => 'tests')),
})

async function scriptsIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => [])
  return names
    .filter((name) => name.endsWith('.js'))
    .toSorted()
    .map((name) => resolve(folder, name))
}

/**
 * Records all chosen tests of a checkout, and writes a spec for each that a spec can express.
 * @throws {Problem} "usage" where a given name chooses no test, "output-unwritable".
 */
export async function importTests(checkout: Checkout, options: ImportOptions): Promise<readonly ImportedTest[]> {
  const { tests, threads, seconds, memoryMB, record, onFile } = options
  const imported: ImportedTest[] = []
  const names = new Set<string>()
  const written = new Set<string>()
  for (const file of checkout.files) {
    const source = relative(checkout.folder, file)
    onFile?.(source)
    const { before, folder } = checkout
    await record({ file, before, folder, tests, threads, seconds, memoryMB }, async (recording) => {
      imported.push({ source, ...(await importOne(recording, source)) })
    })
  }
  refuseUnknown(tests, imported)
  return imported

  async function importOne(recording: Recording, source: string): Promise<Unplaced> {
    if (recording.kind === 'refused') return recording
    const { test } = recording
    try {
      return await writeTest(test, { source, options, names, written })
    } catch (error) {
      return { kind: 'refused', name: test.name, reason: describeRefusal(error) }
    }
  }
}

type Unplaced = { readonly name: string } & (
  | { readonly kind: 'imported'; readonly spec: string; readonly allow: readonly string[] }
  | { readonly kind: 'refused'; readonly reason: string }
)

type WriteContext = {
  readonly source: string
  readonly options: ImportOptions
  /** Names of specs so far. */
  readonly names: Set<string>
  /** Files of data so far. */
  readonly written: Set<string>
}

async function writeTest(test: RecordedTest, { source, options, names, written }: WriteContext): Promise<Unplaced> {
  const { out, threads, printSpec } = options
  const name = freeName(specName(test.name), names)
  const { spec, files, allow } = testSpec(test, name, source, threads)
  const path = join(out, `${name}.json`)
  const fresh = [...files].filter(([file]) => !written.has(file))
  // First, because a spec whose files are missing is not valid.
  for (const [file, lines] of fresh) await write(join(out, file), splitIntoChunks(lines))
  try {
    await write(path, printSpec(spec, path, allow))
  } catch (error) {
    for (const [file] of fresh) await rm(join(out, file), { force: true })
    throw error
  }
  for (const [file] of fresh) written.add(file)
  names.add(name)
  return { kind: 'imported', name: test.name, spec: basename(path), allow }
}

function describeRefusal(error: unknown): string {
  if (error instanceof Unsupported) return `uses ${error.message}`
  if (!(error instanceof Problem) || error.code === 'output-unwritable') throw error
  const [first = ''] = error.message.split('\n')
  // Without the place in a file that is not written, and without advice for its author.
  return `no spec can have ${first.replace(/^.*?:\d+:\d+: /, '').replace(/;.*/, '')}`
}

const linesPerChunk = 1000

/** A file of data may be longer than a text can be. */
function* splitIntoChunks(lines: readonly string[]): Generator<string> {
  for (let i = 0; i < lines.length; i += linesPerChunk) yield `${lines.slice(i, i + linesPerChunk).join('\n')}\n`
}

async function write(path: string, text: string | Iterable<string>): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text)
  } catch (error) {
    throw unwritable(path, error)
  }
}

/** Longest name of a spec that leaves room for a number. */
const maxName = 46

/** The name of a spec for a test: `Insert.IntID` becomes `insert-int-id`. */
export const specName = (test: string): string =>
  test
    .replaceAll(/([a-z0-9])(?=[A-Z])/g, '$1-')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, maxName)
    .replace(/-$/, '') || 'test'

function freeName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name
  let count = 2
  while (taken.has(`${name}-${count}`)) count += 1
  return `${name}-${count}`
}

/** A name that chooses nothing is a mistake, unless a file whose tests are unknown may have it. */
function refuseUnknown(given: readonly string[], imported: readonly ImportedTest[]): void {
  const names = imported.map(({ name }) => name)
  const unknown = given.find((pattern) => !names.some((name) => matches(name, pattern)))
  if (unknown === undefined || names.includes(wholeFile)) return
  throw new Problem('usage', `There is no test "${unknown}"`, {
    hint: 'Names are those in the files, such as "Insert.*".',
  })
}
