import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { Problem } from '../core/errors.ts'
import { isObject, type Json, type JsonObject } from '../core/json.ts'
import { asExpression } from '../language/expression.ts'
import { Issues } from '../language/issues.ts'
import { DrawBudget, largestDocument } from '../language/values/draw-context.ts'
import { type EngineKind } from '../load/engines/engine-kinds.ts'
import { refuseNames } from '../metrics/columns/own-columns.ts'
import { serverName } from '../metrics/rows/parameters.ts'
import { isWhole, readRows, type SpecRow } from './fold/read-rows.ts'
import { InvalidSpec } from './invalid-spec.ts'
import { type NamedServer, type Overrides } from './parse/overrides.ts'
import { parseJson } from './parse/parse-json.ts'
import { printSpec } from './parse/print-spec.ts'
import { withWords } from './parse/with-words.ts'
import { chooseServers, crossServers } from './plan/cross-servers.ts'
import { withThresholds } from './plan/given-thresholds.ts'
import { onFoundRate, withFoundRate } from './plan/replace-loads.ts'
import { onExisting, onFreshServers, refuseOneServerForSeveral } from './plan/replace-targets.ts'
import { withDumps } from './plan/with-dumps.ts'
import { validateRow } from './rules/index.ts'
import { validateRows } from './rules/rows.ts'
import { findWrittenValues } from './rules/written-values.ts'
import { foreignFile } from './schema/data-file.ts'
import { type Spec } from './schema/schema.ts'
import { isPropertyFile } from './ycsb/parse-properties.ts'

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
    throw new Problem('spec-unreadable', `${file} is no spec: it ${foreign}`, {
      hint: 'Name it as "file" in "data" of a spec; `mongo-perf init` writes one to start from.',
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
  const { only, servers } = chooseServers(overrides.only ?? [], overrides.servers ?? [])
  const folder = resolve(dirname(file))
  const filesIn = overrides.filesElsewhere ? undefined : folder
  const { usualEngine: engine } = overrides
  const whole = filesIn === undefined ? parsed.value : withWords(parsed.value, filesIn, issues.reporter('words'))
  const root = isObject(whole) && engine !== undefined ? { engine, ...whole } : whole
  const written = readRows(root, { ...overrides, only }, issues)
  const asWritten = onLoads(onEngines(onTargets(written, servers, overrides), overrides), overrides)
  const remarks = new Set<string>()
  const rows = filesIn === undefined ? asWritten : withDumps(asWritten, filesIn, remarks)
  const budget = new DrawBudget(bytesTried)
  let untried = 0
  const noteUntried = (count: number): void => void (untried += count)
  for (const row of rows) validateRow(row, { overrides, folder: filesIn, budget, noteUntried }, issues)
  validateRows(rows, Object.keys(overrides.set ?? {}).length + (overrides.only ?? []).length > 0, issues)
  for (const finding of findWrittenValues(parsed.value)) issues.add({ code: 'written-value', ...finding })
  if (issues.found.length > 0) throw new InvalidSpec(parsed, issues.found)
  if (overrides.existing) refuseOneServerForSeveral(written)
  if (overrides.engine !== undefined) refuseOneEngineForSeveral(written)
  const [first] = rows
  if (!first)
    throw new Problem('spec-invalid', `${file}:1:1: no row is left to run`, { hint: 'Look at "variants" and --only.' })
  const { spec } = first
  const given = applyOverrides(root, overrides)
  const effective = overrides.findRate !== undefined && isObject(given) ? withFoundRate(given, first) : given
  return {
    file,
    folder,
    name: spec.name,
    title: spec.title ?? spec.name,
    description: spec.description ?? '',
    seed: spec.seed,
    repeat: spec.repeat ?? { times: 1, startUpRuns: 0 },
    rows: withThresholds(rows, overrides),
    profiles: isObject(root) && isObject(root['profiles']) ? Object.keys(root['profiles']) : [],
    effective,
    hash: hashOfWork(asWritten),
    untried,
    overrides,
    remarks: [...remarks],
  }
}

function onTargets(
  written: readonly SpecRow[],
  servers: readonly NamedServer[],
  { existing, freshServers }: Overrides,
): readonly SpecRow[] {
  if (servers.length > 0) return crossServers(written, servers)
  if (existing) return written.map(onExisting)
  return freshServers ? written.map(onFreshServers) : written
}

const onEngines = (rows: readonly SpecRow[], { engine }: Overrides): readonly SpecRow[] =>
  engine === undefined ? rows : rows.map((row) => onEngine(row, engine))

const onLoads = (rows: readonly SpecRow[], { findRate }: Overrides): readonly SpecRow[] =>
  findRate === undefined ? rows : rows.map((row) => (isWhole(row, ['phases']) ? onFoundRate(row, findRate) : row))

function applyOverrides(root: Json, { profile, set = {}, servers = [], engine }: Overrides): Json {
  if (!isObject(root)) return root
  const profiles = isObject(root['profiles']) ? root['profiles'] : {}
  const chosen = profile === undefined ? {} : profiles[profile]
  const { profiles: _, $schema: __, ...rest } = root
  const parameters = {
    ...(isObject(root['parameters']) ? root['parameters'] : {}),
    ...(isObject(chosen) ? chosen : {}),
    ...set,
  }
  const withParameters = Object.keys(parameters).length > 0 ? { ...rest, parameters } : rest
  const effective = engine === undefined ? withParameters : withEngine(withParameters, engine)
  return servers.length > 0 ? withServers(effective, servers) : effective
}

/** Adds servers as the outermost parameter of the variants. Rows that are written one by one stay as they are. */
function withServers(spec: JsonObject, servers: readonly NamedServer[]): Json {
  const { variants = {} } = spec
  const target = { '@param': serverName }
  if (!isObject(variants) || asExpression(variants)) return { ...spec, target }
  const choices = servers.map(({ name, uriFrom, facts = {} }) => ({
    label: name,
    value: { kind: 'existing', uriFrom, facts },
  }))
  return { ...spec, target, variants: { [serverName]: choices, ...variants } }
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

const onEngine = (row: SpecRow, engine: EngineKind): SpecRow => ({
  ...row,
  spec: { ...row.spec, phases: row.spec.phases.map((phase) => ({ ...phase, engine })) },
})

/** The spec as JSON with one engine for all of its phases. */
function withEngine({ phases, ...spec }: JsonObject, engine: EngineKind): JsonObject {
  return { ...spec, engine, phases: Array.isArray(phases) ? phases.map(withoutEngine) : (phases ?? null) }
}

function withoutEngine(phase: Json): Json {
  if (!isObject(phase)) return phase
  const { engine: _, ...rest } = phase
  return rest
}

/**
 * One engine in the place of two that the rows of a spec compare: tables would show its figures under the names of both.
 * @param rows With the engines that the spec gives them.
 */
function refuseOneEngineForSeveral(rows: readonly SpecRow[]): void {
  const found = new Map<string, { readonly engine: EngineKind; readonly label: string }>()
  for (const { label, spec } of rows)
    for (const { name, engine } of spec.phases) {
      const other = found.get(name) ?? { engine, label }
      if (other.engine !== engine) throw oneForSeveral(name, other.label, label)
      found.set(name, other)
    }
}

const oneForSeveral = (phase: string, first: string, second: string): Problem =>
  new Problem(
    'usage',
    `Rows differ in the engine of the phase "${phase}" ("${first}" and "${second}"): with one engine for all, the table would compare it with itself`,
    { hint: 'Leave --engine out, or choose rows with --only.' },
  )
