import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { Problem } from '../core/errors.ts'
import { type Json, type Path, isObject, mapParts } from '../core/json.ts'
import { asExpression } from '../language/expression.ts'
import { Issues, type Report } from '../language/issues.ts'
import { DrawBudget, largestDocument } from '../language/values/draw-context.ts'
import { refuseNames } from '../metrics/columns/own-columns.ts'
import { patchSpec } from './fold/patch.ts'
import { type SpecRow, isWhole, readRows } from './fold/read-rows.ts'
import { InvalidSpec } from './invalid-spec.ts'
import type { Overrides } from './parse/overrides.ts'
import { parseJson } from './parse/parse-json.ts'
import { printSpec } from './parse/print-spec.ts'
import { withThresholds } from './plan/given-thresholds.ts'
import { onSearch, writeSearch } from './plan/replace-loads.ts'
import { withDumps } from './plan/with-dumps.ts'
import { validateRow } from './rules/index.ts'
import { refuseOneForSeveral } from './rules/one-for-several.ts'
import { validateRows } from './rules/rows.ts'
import { findWrittenValues } from './rules/written-values.ts'
import { foreignFile } from './schema/data-file.ts'
import type { Spec } from './schema/schema.ts'
import { isPropertyFile } from './ycsb/parse-properties.ts'

/** The words become a part of the spec, which is sent to agents and kept in results. */
const maxBytes = 256 * 1024

/** A spec in which `@oneOf` has the words of its files instead of their names, so that whoever runs it needs no file. */
function withWords(node: Json, folder: string | undefined, report: Report, path: Path = []): Json {
  const { keyword, argument } = asExpression(node) ?? {}
  if (folder === undefined || keyword === '@literal') return node
  if (keyword !== '@oneOf' || !isObject(argument) || typeof argument['file'] !== 'string')
    return mapParts(node, (part, step) => withWords(part, folder, report, [...path, step]))
  const { file, ...others } = argument
  const words = readWords(resolve(folder, file as string))
  if (typeof words !== 'string') return { '@oneOf': { ...others, values: words } }
  report([...path, keyword, 'file'], `"${file as string}" ${words}`)
  return { '@oneOf': { ...others, values: [''] } }
}

/** The lines of a file that hold something, or the reason why there are none. */
function readWords(path: string): readonly string[] | string {
  try {
    const file = statSync(path)
    // A pipe or a device may never end; of a folder, reading says what it is.
    if (!file.isFile() && !file.isDirectory()) return 'is not a file'
    if (file.size > maxBytes) return `has more than ${maxBytes / 1024} KB, and becomes a part of the spec`
    const text = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path))
    const words = text.split('\n').map((line) => line.trim())
    const found = words.filter((word) => word !== '')
    return found.length > 0 ? found : 'holds no words, one per line'
  } catch (error) {
    if (error instanceof TypeError) return 'is not UTF-8'
    const { code } = error as NodeJS.ErrnoException
    return code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`
  }
}

/** Number of runs of every row, and of those that stay out of medians. */
export type Repeat = { readonly times: number; readonly startUpRuns: number }

/** A validated spec: all rows are folded, and their values were drawn once. Nothing has been started or contacted. */
export type LoadedSpec = {
  /** The path of the file, or another name of the source. */
  readonly file: string
  /** The folder to which paths in the spec are relative. */
  readonly folder: string
  readonly name: string
  readonly title: string
  readonly description: string
  readonly seed: number
  readonly repeat: Repeat
  readonly rows: readonly SpecRow[]
  /** Names of its profiles. */
  readonly profiles: readonly string[]
  /** The spec as JSON, with the profile and `--set` applied to its parameters. */
  readonly effective: Json
  /** SHA-256 of the parts of the effective spec that define the work: same hash, same work. */
  readonly hash: string
  /** Number of data sets and phases, over all rows, that were not validated completely because earlier ones are too large. */
  readonly untried: number
  readonly overrides: Overrides
  /** Remarks on how it differs from the file, where that is of another tool, or from a dump. */
  readonly remarks: readonly string[]
}

/** Budget of trial draws in BSON bytes: five documents of maximum size, or very many usual ones. */
const bytesTried = 5 * largestDocument

/**
 * Loads and validates a spec, or a property file of YCSB.
 * @throws {Problem} "spec-unreadable", "spec-invalid" (all issues of the spec at once), "refused" (safety forbids it) or "usage".
 */
export async function loadSpecFile(file: string, overrides: Overrides = {}): Promise<LoadedSpec> {
  const foreign = foreignFile(file)
  if (foreign !== undefined)
    throw new Problem('spec-unreadable', `${file} is not a spec: it ${foreign}`, {
      hint: 'Name it as "file" in "data" of a spec; `mongo-perf init` writes one to start from.',
    })
  if (/\.(?:ya?ml|[cm]?[jt]s)$/i.test(file))
    throw new Problem('spec-unreadable', `${file} is not JSON, in which specs are written`, {
      hint: 'A program passes a spec to `run(spec)` of "mongo-perf" as an object; `mongo-perf init` writes a file to start from.',
    })
  const text = await readSpecFile(file)
  if (!isPropertyFile(file, text)) return withPlace(loadSpecText(text, file, overrides), file)
  const { importWorkload } = await import('./ycsb/import-workload.ts')
  const { spec, remarks } = await importWorkload({ file, text })
  return withPlace({ ...loadSpecText(printSpec(spec), file, overrides), remarks }, file)
}

/** The spec with the name of its file before each remark. */
const withPlace = (spec: LoadedSpec, file: string): LoadedSpec => ({
  ...spec,
  remarks: spec.remarks.map((remark) => `${file}: ${remark}`),
})

export async function readSpecFile(
  file: string,
  hint = '`mongo-perf list` lists the shipped specs; `mongo-perf check FILE` validates your own.',
): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    const reason =
      code === 'ENOENT'
        ? 'does not exist'
        : code === 'EISDIR'
          ? 'is a folder'
          : `cannot be read (${code ?? String(error)})`
    throw new Problem('spec-unreadable', `${file} ${reason}`, {
      hint,
      cause: error,
    })
  }
}

/** Loads and validates a spec from its text; relative paths begin at the folder of `file`. */
export function loadSpecText(text: string, file: string, overrides: Overrides = {}): LoadedSpec {
  refuseNames(overrides.columns ?? {})
  const parsed = parseJson(text, file)
  const issues = new Issues()
  const folder = resolve(dirname(file))
  const filesIn = overrides.filesElsewhere ? undefined : folder
  const root = withWords(parsed.value, filesIn, issues.reporter('words'))
  const { search } = overrides
  const measured = readRows(root, overrides, issues)
  const written =
    search === undefined ? measured : measured.map((row) => (isWhole(row, ['phases']) ? onSearch(row, search) : row))
  const { rows, remarks } = withDumps(written, filesIn)
  const untried = validate(rows, overrides, filesIn, issues)
  for (const finding of findWrittenValues(parsed.value)) issues.add({ code: 'written-value', ...finding })
  if (issues.found.length > 0 || !isObject(root)) throw new InvalidSpec(parsed, issues.found)
  refuseOneForSeveral(() => readRows(root, { ...overrides, existing: false, engine: undefined }, issues), overrides)
  const [first] = rows
  if (!first)
    throw new Problem('spec-invalid', `${file}:1:1: no row is left to run`, { hint: 'Look at "variants" and --only.' })
  const { name, title = name, description = '', seed, repeat = { times: 1, startUpRuns: 0 } } = first.spec
  const effective = patchSpec(root, overrides, issues).root
  return {
    file,
    folder,
    name,
    title,
    description,
    seed,
    repeat,
    rows: withThresholds(rows, overrides),
    profiles: Object.keys(root['profiles'] ?? {}),
    effective: search === undefined ? effective : writeSearch(effective, first),
    hash: hashOfWork(written),
    untried,
    overrides,
    remarks,
  }
}

/** Applies all rules. @returns the number of parts that were not tried completely. */
function validate(rows: readonly SpecRow[], overrides: Overrides, folder: string | undefined, issues: Issues): number {
  const { set = {}, only = [] } = overrides
  const budget = new DrawBudget(bytesTried)
  let untried = 0
  const noteUntried = (count: number): void => void (untried += count)
  for (const row of rows) validateRow(row, { overrides, folder, budget, noteUntried }, issues)
  validateRows(rows, Object.keys(set).length + only.length > 0, issues)
  return untried
}

/** The hash of the work of all rows: titles, prose, tables and thresholds do not change it. */
function hashOfWork(rows: readonly SpecRow[]): string {
  const work = rows.map(({ label, spec }) => ({
    label,
    seed: spec.seed,
    target: spec.target,
    data: spec.data,
    phases: spec.phases.map(toHashedPhase),
    // Checks may read while phases run. A spec without checks keeps the hash from before checks existed.
    ...(spec.checks.length > 0 && { checks: spec.checks }),
  }))
  return createHash('sha256').update(JSON.stringify(work)).digest('hex')
}

/** A phase of the driver keeps the hash from before there were two engines. */
const toHashedPhase = ({ engine, ...phase }: Spec['phases'][number]): object =>
  engine === 'driver' ? phase : { ...phase, engine }

export type { Overrides, Spec, SpecRow }
