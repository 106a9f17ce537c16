import { z } from 'zod'
import { Problem } from '../../core/errors.ts'
import { isObject, type Json, type Path, pathText } from '../../core/json.ts'
import { getColumn, measures } from '../../metrics/columns/index.ts'
import { groupBy } from '../../metrics/statistics.ts'
import { refuseDeep, validateResult } from '../../results/files/results-file.ts'
import { type PhaseResult, type Result, result as resultSchema, type VariantResult } from '../../results/schema.ts'
import { compactRow } from '../../run/compact-row.ts'

/** A result that later ones are compared with. */
export type Baseline = {
  readonly result: Result
  /** The commit of the working directory. Null: not known. */
  readonly commit: string | null
}

/** The file of a baseline: what comparisons need of a result, with the runs of each row folded into one. */
export function baselineText({ result, commit }: Baseline): string {
  // Parsed, so that fields are in the order of the schema, whether the result was measured or read.
  const { variants, ...rest } = resultSchema.parse(slim(result))
  const rows = [...groupBy(variants, ({ row }) => String(row)).values()].map((runs) => ({
    runs: runs.length,
    values: foldRuns(runs.map((run) => run as Json)),
  }))
  return `${readableJson({ ...rest, format, commit, rows } as Json)}\n`
}

const format = 'mongo-perf-baseline'

/** More than any spec repeats a row. */
const maxRuns = 1000

const file = z.looseObject({
  format: z.literal(format),
  commit: z.string().nullable(),
  rows: z.array(z.object({ runs: z.int().positive().max(maxRuns), values: z.json() })),
})

/**
 * Reads the text of a baseline.
 * @throws {Problem} "result-unreadable".
 */
export function parseBaseline(path: string, text: string): Baseline {
  const json = parseJson(path, text)
  refuseDeep(path, json)
  const parsed = file.safeParse(json)
  if (!parsed.success) {
    const isBaseline = isObject(json) && json['format'] === format
    const why = isBaseline
      ? `${pathText((parsed.error.issues[0]?.path ?? []) as Path)} is damaged`
      : `its "format" is not "${format}"`
    throw new Problem('result-unreadable', `${path} is not a baseline of mongo-perf: ${why}`, {
      hint: repair,
      cause: parsed.error,
    })
  }
  const { commit, rows, ...rest } = parsed.data
  const variants = rows.flatMap(({ runs, values }) => Array.from({ length: runs }, (_, run) => unfoldRun(values, run)))
  return { commit, result: validateResult(path, { ...rest, format: 'mongo-perf-result', variants }) }
}

const repair = 'Take the file from another commit, or save the baseline again with --save-baseline.'

function parseJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const reason = /^(<{7}|>{7}|={7})/m.test(text) ? ': it has the marks of a merge conflict' : ''
    throw new Problem('result-unreadable', `${path} is not JSON${reason}`, { hint: repair, cause: error })
  }
}

/** A result without what comparisons do not read: texts, the report, time lines, times and digests of runs, and metrics by which nothing is compared. */
function slim(result: Result): Result {
  const { effective } = result.spec
  return {
    ...result,
    compact: true,
    spec: {
      ...result.spec,
      description: '',
      report: {},
      thresholds: [],
      effective: selectWorkFields(effective) as typeof effective,
    },
    variants: result.variants
      .filter(({ startUp, status }) => !startUp && status === 'done')
      .map((row) => slimRow(row, result.startedAt)),
  }
}

/** Parts of a spec that say how its results are shown and judged. */
const besideWork: ReadonlySet<string> = new Set(['title', 'description', 'report', 'thresholds'])

const selectWorkFields = (spec: Json): Json =>
  isObject(spec) ? Object.fromEntries(Object.entries(spec).filter(([name]) => !besideWork.has(name))) : spec

/** Metrics of columns by which results can be compared. */
const comparedMetrics: ReadonlySet<string> = new Set(
  measures.flatMap((measure) => {
    const column = getColumn(measure)
    return column.better !== undefined && 'metrics' in column ? (column.metrics ?? []) : []
  }),
)

function slimRow(row: VariantResult, startedAt: string): VariantResult {
  const { phases, ...compact } = compactRow(row, new Set())
  return { ...compact, startedAt, data: [], commands: [], phases: phases.map((phase) => slimPhase(phase, startedAt)) }
}

const slimPhase = (phase: PhaseResult, startedAt: string): PhaseResult => ({
  ...phase,
  startedAt,
  digest: '',
  members: phase.members.map(({ totals, ...member }) => ({
    ...member,
    unavailable: {},
    totals: Object.fromEntries(Object.entries(totals).filter(([name]) => comparedMetrics.has(name))),
  })),
  warnings: phase.warnings.map(({ code }) => ({ code, message: '', advice: '' })),
})

/** Longer values are broken into lines. */
const lineLength = 140

/** JSON that people can read and Git can merge: what fits a line is one line, and all else has a line for each of its parts. */
export function readableJson(value: Json, indent = ''): string {
  const line = JSON.stringify(value)
  if (indent.length + line.length <= lineLength) return line
  const inner = `${indent} `
  const block = (open: string, parts: readonly string[], close: string): string =>
    `${open}\n${parts.map((part) => inner + part).join(',\n')}\n${indent}${close}`
  if (Array.isArray(value))
    return block(
      '[',
      value.map((part: Json) => readableJson(part, inner)),
      ']',
    )
  if (!isObject(value)) return line
  const parts = Object.entries(value).map(([key, part]) => `${JSON.stringify(key)}: ${readableJson(part, inner)}`)
  return block('{', parts, '}')
}

/** Marks a list that has one value for each run. */
const keyword = '@runs'

/** The values of several runs as one, each name once: what differs from run to run is a list at its place, `{ "@runs": [1, 2] }`. */
export function foldRuns(runs: readonly Json[]): Json {
  const [first = null] = runs
  const text = JSON.stringify(first)
  if (runs.every((run) => JSON.stringify(run) === text)) return first
  if (haveSameKeys(runs)) {
    const keys = Object.keys(runs[0] ?? {})
    return Object.fromEntries(keys.map((key) => [key, foldRuns(runs.map((run) => run[key] ?? null))]))
  }
  if (haveSameLength(runs)) return (runs[0] ?? []).map((_, index) => foldRuns(runs.map((run) => run[index] ?? null)))
  return { [keyword]: runs }
}

/** The value of one run, from 0. */
export function unfoldRun(folded: Json, run: number): Json {
  if (Array.isArray(folded)) return folded.map((part: Json) => unfoldRun(part, run))
  if (!isObject(folded)) return folded
  const values = folded[keyword]
  if (Array.isArray(values)) return (values as readonly Json[])[run] ?? null
  return Object.fromEntries(Object.entries(folded).map(([key, part]) => [key, unfoldRun(part, run)]))
}

function haveSameKeys(runs: readonly Json[]): runs is readonly { readonly [key: string]: Json }[] {
  const keys = runs.map((run) => (isObject(run) ? Object.keys(run).toSorted().join('\n') : null))
  return keys.every((text) => text !== null && text === keys[0])
}

function haveSameLength(runs: readonly Json[]): runs is readonly (readonly Json[])[] {
  return runs.every((run) => Array.isArray(run) && run.length === getArrayLength(runs[0]))
}

const getArrayLength = (value: Json | undefined): number => (Array.isArray(value) ? value.length : -1)
