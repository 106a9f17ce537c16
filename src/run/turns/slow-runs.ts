import { total } from '../../metrics/columns/from-metrics.ts'
import { isPlanned } from '../../metrics/rows/rows.ts'
import { countCalls, createScope } from '../../metrics/scope.ts'
import { isNumber, median, ratio, sum } from '../../metrics/statistics.ts'
import { type VariantResult } from '../../results/schema.ts'

/** A run in a slow state of the machine. */
export type SlowRun = {
  readonly variant: VariantResult
  /** How much slower it was. */
  readonly percent: number
  /** Evidence with figures. */
  readonly because: string
}

/** A run that needs so much more CPU time per operation than the median run of its row was slow. */
const slowAbovePercent = 10

/** Shorter runs are over before a state of the machine shows, and servers report their CPU time too seldom for them. */
const minSeconds = 5

/**
 * The runs of a row in a slow state of the machine, slowest first: client and server both needed more CPU time per operation than in the median
 * run. The server alone needs more with a checkpoint and with what there is to do; the machine takes more of it for both at the same time.
 *
 * On a virtual machine with two cores, 72 runs of `query-types` and their throughput: 8 were slow by this rule, of which 7 had 14 to 51 %
 * less than the median of their row, and one was limited by the disk. Against the fastest run instead of the median every second run was slow;
 * and by the kernel alone (`machineSpeed`) 12 more, whose throughput was 9 % below to 12 % above the median.
 * @param runs The runs that count. A row with errors or faults has none that is slow: their CPU time differs for other reasons.
 */
export function findSlowRuns(runs: readonly VariantResult[]): readonly SlowRun[] {
  if (runs.length < 2 || !runs.every(isJudged)) return []
  const cpuTimes = comparable(runs.map(computeCpuTime))
  const typical = { client: computeMedianTime(cpuTimes, 'client'), server: computeMedianTime(cpuTimes, 'server') }
  return runs
    .flatMap((variant, i) => {
      const above = percentsAbove(cpuTimes[i] ?? unknown, typical)
      return above === null ? [] : [{ variant, ...above }]
    })
    .toSorted((a, b) => b.percent - a.percent || a.variant.run - b.variant.run)
}

const computeMedianTime = (times: readonly CpuTime[], of: keyof CpuTime): number | null =>
  median(times.map((time) => time[of]).filter(isNumber))

/**
 * Adds a run to those of a result. Where it was made again, one of the two counts: the new one, unless it is in a slow state
 * too and needs no less CPU time, or had errors. The other one is marked.
 * @param again What was slow about the run before. Null: it is the first of its round.
 */
export function withRun(
  variants: readonly VariantResult[],
  added: VariantResult,
  again: string | null,
): VariantResult[] {
  const before = variants.find((run) => isOfRow(run, added) && run.run === added.run && isPlanned(run))
  if (again === null || before === undefined) return [...variants, added]
  const reason = reasonAgainst(added, before, [...variants, added])
  if (reason !== null) return [...variants, { ...added, excludedBecause: reason }]
  return [...variants.map((run) => (run === before ? { ...run, excludedBecause: again } : run)), added]
}

/** Why the run before it counts. Null: the new one counts. */
function reasonAgainst(added: VariantResult, before: VariantResult, variants: readonly VariantResult[]): string | null {
  if (added.status !== 'done') return 'it did not finish'
  if (!isJudged(added)) return 'it had errors or faults, or was too short'
  const ofRow = variants.filter((run) => isOfRow(run, added) && isPlanned(run))
  const slow = findSlowRuns(ofRow).find(({ variant }) => variant === added)
  const [ofAdded = unknown, ofBefore = unknown] = comparable([added, before].map(computeCpuTime))
  if (slow === undefined || sumCpuTime(ofAdded) < sumCpuTime(ofBefore)) return null
  return `no faster than the run before it: ${slow.because}`
}

const isOfRow = (run: VariantResult, { row }: VariantResult): boolean => run.row === row

function isJudged({ status, phases }: VariantResult): boolean {
  const failures = phases.flatMap(({ operations }) => operations.map(({ failed, unknown }) => failed + unknown))
  const hasFaults = phases.some(({ faults }) => faults.length > 0)
  const seconds = sum(phases.map(({ wallSeconds }) => wallSeconds))
  return status === 'done' && sum(failures) === 0 && !hasFaults && seconds >= minSeconds
}

/** How much more CPU time than usual a run needed. Null: it was not slow. */
function percentsAbove(cpu: CpuTime, typical: CpuTime): Omit<SlowRun, 'variant'> | null {
  const client = percentAbove(cpu.client, typical.client)
  const server = percentAbove(cpu.server, typical.server)
  if (client === null || client <= slowAbovePercent || (server !== null && server <= slowAbovePercent)) return null
  const ofServer = server === null ? '' : ` and ${percentText(server)} of the server`
  const because = `${percentText(client)} more CPU time of the client${ofServer} for each operation than in the median run of the row`
  return { percent: Math.min(client, server ?? client), because }
}

const percentAbove = (value: number | null, typical: number | null): number | null =>
  value === null || typical === null || typical === 0 ? null : (value / typical - 1) * 100

const percentText = (percent: number): string => `${Math.round(percent)} %`

const unknown: CpuTime = { client: null, server: null }

/** Without the server, where its CPU time is not known of all. */
const comparable = (times: readonly CpuTime[]): readonly CpuTime[] =>
  times.every(({ server }) => server !== null) ? times : times.map(({ client }) => ({ client, server: null }))

const sumCpuTime = ({ client, server }: CpuTime): number => (client ?? Infinity) + (server ?? 0)

/** CPU time in microseconds per operation. Null: unknown. */
type CpuTime = { readonly client: number | null; readonly server: number | null }

/** CPU time per operation over all measured phases of a run. That of the server is unknown if it is for one of them. */
function computeCpuTime(variant: VariantResult): CpuTime {
  const scopes = variant.phases.flatMap(({ name }) => createScope(variant, { kind: 'phase', phase: name }) ?? [])
  const operations = sum(scopes.map(countCalls))
  const ofServer = scopes.map((scope) => total(scope, ['processCpuUs']))
  return {
    client: ratio(
      sum(variant.phases.map(({ client, wallSeconds }) => client.cpuPercent * 10_000 * wallSeconds)),
      operations,
    ),
    server: ofServer.every(isNumber) ? ratio(sum(ofServer), operations) : null,
  }
}
