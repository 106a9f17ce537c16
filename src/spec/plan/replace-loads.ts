import { Problem } from '../../core/errors.ts'
import { isObject, type Json, type JsonObject, partAt, pathText } from '../../core/json.ts'
import { collectFindings } from '../../language/reasons.ts'
import { type SpecRow } from '../fold/read-rows.ts'
import { type PhaseSpec } from '../schema/phase-schema.ts'
import { searchLoads } from '../schema/search-loads.ts'

/** A search that replaces the load of a spec. Absent: as the spec has them, or their defaults. */
export type SearchQuestion = {
  readonly kind: 'findRate' | 'findCache'
  readonly holds?: readonly string[] | undefined
  readonly from?: number | undefined
  readonly to?: number | undefined
  readonly secondsPerStep?: number | undefined
}

/**
 * The row with a search in its measured phase, and without its thresholds: they are about its own load.
 * @throws {Problem} "usage" where it has several measured phases, or no limits are known.
 */
export function onSearch(row: SpecRow, question: SearchQuestion): SpecRow {
  const { spec } = row
  const measured = spec.phases.filter((phase) => phase.measured)
  if (measured.length !== 1)
    throw new Problem('usage', `The spec "${spec.name}" measures ${measured.length} phases, and a search needs one`, {
      hint: `Set "measured": false for the others, or give one of them a load of kind "${question.kind}" and use \`mongo-perf run\`.`,
    })
  const phases = spec.phases.map((phase) => (phase.measured ? withSearch(phase, question) : phase))
  return { ...row, spec: { ...spec, phases, thresholds: [] } }
}

function withSearch(phase: PhaseSpec, question: SearchQuestion): PhaseSpec {
  const { [question.kind]: schema } = searchLoads
  const own = phase.load.kind === question.kind ? phase.load : { ...phase.load, from: undefined, to: undefined }
  const settings = [own, question].flatMap((given) => Object.entries(given).filter(([, value]) => value !== undefined))
  const load = Object.fromEntries(settings.filter(([name]) => name in schema.shape))
  if (!('holds' in load))
    throw new Problem('usage', 'No limit is given that must hold', {
      hint: 'Add --p99 10 for a 99th percentile of the response time under 10 ms, or --holds "responseP95Ms < 5".',
    })
  const { data, findings } = collectFindings(schema, load as JsonObject)
  if (findings.length === 0)
    return { ...phase, load: data as PhaseSpec['load'], stopAfter: undefined, faults: undefined }
  const reasons = findings.map(({ path, reason }) =>
    [pathText(path), JSON.stringify(partAt(load, path)) ?? [], reason].flat().join(' '),
  )
  throw new Problem('usage', `The search is not possible: ${reasons.join('; ')}`, {
    hint: 'Change --holds, --from, --to or --seconds, or the load of the phase: a search for a cache needs its "ratePerSecond".',
  })
}

/** The spec as JSON with the search of its first row. */
export function writeSearch(spec: JsonObject, { spec: { phases: searched } }: SpecRow): JsonObject {
  const { phases = null, thresholds: _, ...rest } = spec
  return {
    ...rest,
    phases: Array.isArray(phases) ? phases.map((phase, i) => withLoad(phase, searched[i]?.load)) : phases,
  }
}

function withLoad(phase: Json, load: PhaseSpec['load'] | undefined): Json {
  if (!isObject(phase) || load === undefined || !('holds' in load)) return phase
  const { stopAfter: _stopAfter, faults: _faults, ...rest } = phase
  return { ...rest, load: JSON.parse(JSON.stringify(load)) as Json }
}
