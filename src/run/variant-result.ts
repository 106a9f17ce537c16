import { formatQuantity, groupDigits } from '../core/quantities.ts'
import { warningsOfLimits, warningsOfMachine, warningsOfServer } from '../load/measure/machine-warnings.ts'
import { type DataSetResult, type PhaseResult, type VariantResult } from '../results/schema.ts'
import { type RowWarning } from '../results/warnings/weights.ts'
import { type SpecRow } from '../spec/fold/read-rows.ts'
import { type DataSetSpec } from '../spec/schema/data-schema.ts'
import { type Spec } from '../spec/schema/schema.ts'
import { type LoadedData } from './data/load-data.ts'
import { readSharding } from './read-sharding.ts'
import { readStorage, tellsStorage } from './read-storage.ts'
import { uncheckedResults } from './row-checks.ts'
import { type RowRun } from './row-run.ts'
import { type RanPhases } from './run-phases.ts'
import { type Turn } from './turns.ts'

/** Findings about a row that has run. */
type Ran = LoadedData &
  RanPhases & {
    /** Metrics that its servers do not report. */
    readonly unreported: readonly string[]
    readonly startedAt: Date
    readonly startMs: number
  }

/** Reads what the row has left on the servers, and judges it. */
export async function createVariantResult(row: RowRun, ran: Ran): Promise<VariantResult> {
  const { turn, spec, target, client, database, dataSets, server, signal, clock, isUsed } = row
  const { data, phases, checks, commands, warnings, unreported, startedAt, startMs } = ran
  const cores = target.cores !== undefined && 'reason' in target.cores ? target.cores.reason : undefined
  return {
    ...describeTurn(turn, startedAt),
    status: isWhole(spec, phases) ? 'done' : 'aborted',
    server,
    ...(target.startedByUs && { servers: isUsed ? 'kept' : 'fresh' }),
    data,
    phases,
    checks,
    storage: tellsStorage(spec) && !signal.aborted ? await readStorage(client, database, dataSets, target) : null,
    sharding: signal.aborted ? null : await readSharding(client, { spec, database, phases, server }),
    commands: [...target.commands, ...commands],
    warnings: [
      ...warningsOfMachine({ cores, limits: turn.row.limitsNotKept }),
      ...warningsOfLimits(server),
      ...warningsOfServer(server, unreported),
      ...warningsOfData(spec.data, data),
      ...warnings,
    ],
    seconds: (clock.now() - startMs) / 1000,
  }
}

/** A row that ended without figures. */
export const failedVariant = (
  turn: Turn<SpecRow>,
  status: 'aborted' | 'failed',
  error: string,
  startedAt: Date,
): VariantResult => ({
  ...describeTurn(turn, startedAt),
  status,
  error,
  server: null,
  data: [],
  phases: [],
  checks: uncheckedResults(turn.row.spec, `the row ${status === 'failed' ? 'failed' : 'was aborted'}`),
  storage: null,
  sharding: null,
  commands: [],
  warnings: [],
  seconds: 0,
})

const describeTurn = ({ row, run, startUp }: Turn<SpecRow>, startedAt: Date) => ({
  row: row.index,
  run,
  startUp,
  label: row.label,
  parameters: Object.fromEntries(row.parameters) as VariantResult['parameters'],
  facts: row.spec.target.facts as VariantResult['facts'],
  startedAt: startedAt.toISOString(),
})

/** An interrupt that came when everything had been sent changes nothing. */
function isWhole(spec: Spec, phases: readonly PhaseResult[]): boolean {
  const measured = spec.phases.filter((phase) => phase.measured)
  // A phase in turns has a result for each of them.
  return (
    new Set(phases.map(({ name }) => name)).size === measured.length &&
    !phases.some(({ endedBecause }) => endedBecause === 'aborted')
  )
}

/** Warnings about collections that are there and hold fewer documents than the spec draws keys of. */
const warningsOfData = (
  specs: readonly Pick<DataSetSpec, 'existing' | 'rows'>[],
  found: readonly Pick<DataSetResult, 'rows'>[],
): readonly RowWarning[] =>
  specs.flatMap(({ existing, rows }, i) => {
    const documents = found[i]?.rows ?? 0
    if (existing === undefined || documents >= rows) return []
    return {
      code: 'documents-missing',
      message: `"${existing}" has ${formatQuantity(documents, 'document')}; the spec draws keys of ${groupDigits(rows)}`,
      advice: 'Load the others, or set "rows" of the data to what is there; of a workload of YCSB, "recordcount".',
    }
  })
