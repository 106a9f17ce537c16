import { z } from 'zod'
import { Problem } from '../../core/errors.ts'
import { isObject, type Json } from '../../core/json.ts'
import { columnOf, measures } from '../../metrics/columns.ts'
import { groupBy } from '../../metrics/group-by.ts'
import { refuseDeep, validateResult } from '../../results/results-file.ts'
import { type PhaseResult, type Result, result as resultSchema, type VariantResult } from '../../results/schema.ts'
import { compactRow } from '../../run/compact-row.ts'
import { foldRuns, unfoldRun } from './fold-runs.ts'
import { readableJson } from './readable-json.ts'

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
  if (!parsed.success)
    throw new Problem('result-unreadable', `${path} is not a baseline of mongo-perf: its "format" is not "${format}"`, {
      hint: repair,
      cause: parsed.error,
    })
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
      effective: workOf(effective) as typeof effective,
    },
    variants: result.variants
      .filter(({ startUp, status }) => !startUp && status === 'done')
      .map((row) => slimRow(row, result.startedAt)),
  }
}

/** Parts of a spec that say how its results are shown and judged. */
const besideWork: ReadonlySet<string> = new Set(['title', 'description', 'report', 'thresholds'])

const workOf = (spec: Json): Json =>
  isObject(spec) ? Object.fromEntries(Object.entries(spec).filter(([name]) => !besideWork.has(name))) : spec

/** Metrics of columns by which results can be compared. */
const comparedMetrics: ReadonlySet<string> = new Set(
  measures.flatMap((measure) => {
    const column = columnOf(measure)
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
