import { fastestMachine, slowBelowPercent, slowestPercent } from '../report/machine-speed.ts'
import { isPlanned } from '../report/rows.ts'
import { sum } from '../report/statistics.ts'
import { type VariantResult } from '../results/schema.ts'
import { cpuTimeOf, type CpuTime } from './cpu-time.ts'

/** A run in a slow state of the machine. */
export type SlowRun = {
  readonly variant: VariantResult
  /** How much slower it was. */
  readonly percent: number
  /** What showed it, with figures. */
  readonly because: string
}

type Sign = Omit<SlowRun, 'variant'>

/** In a run that needs so much more CPU time per operation, and in whose row nothing else happened, the machine was slow. */
const slowAbovePercent = 100 - slowBelowPercent

/** Shorter runs are over before a state of the machine shows, and servers report their CPU time too seldom for them. */
const minSeconds = 5

/**
 * The runs of a row in a slow state of the machine, slowest first. The kernel alone is not enough: a machine can be slow between
 * the two times when it runs. Nor is the CPU time of the server alone, which rises with a checkpoint and with what there is to do; the
 * machine takes more of it for client and server at the same time.
 * @param runs The runs that count. A row with errors or faults has none that is slow: their CPU time differs for other reasons.
 * @param fastest Speed of the machine in the fastest run of the result. Null: not measured.
 */
export function slowRunsOf(runs: readonly VariantResult[], fastest: number | null): readonly SlowRun[] {
  if (runs.length < 2 || !runs.every(isJudged)) return []
  const cpuTimes = comparable(runs.map(cpuTimeOf))
  const [least = unknown] = cpuTimes.toSorted((a, b) => totalOf(a) - totalOf(b))
  return runs
    .flatMap((variant, i) => {
      const signs = [...signsByKernel(variant, fastest), ...signsByCpu(cpuTimes[i] ?? unknown, least)]
      if (signs.length === 0) return []
      const percent = Math.max(...signs.map((sign) => sign.percent))
      return [{ variant, percent, because: signs.map(({ because }) => because).join('; ') }]
    })
    .toSorted((a, b) => b.percent - a.percent || a.variant.run - b.variant.run)
}

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
  const slow = slowRunsOf(ofRow, fastestMachine({ variants })).find(({ variant }) => variant === added)
  const [ofAdded = unknown, ofBefore = unknown] = comparable([added, before].map(cpuTimeOf))
  if (slow === undefined || totalOf(ofAdded) < totalOf(ofBefore)) return null
  return `no faster than the run before it: ${slow.because}`
}

const isOfRow = (run: VariantResult, { row }: VariantResult): boolean => run.row === row

function isJudged({ status, phases }: VariantResult): boolean {
  const failures = phases.flatMap(({ operations }) => operations.map(({ failed, unknown }) => failed + unknown))
  const hasFaults = phases.some(({ faults }) => faults.length > 0)
  const seconds = sum(phases.map(({ wallSeconds }) => wallSeconds))
  return status === 'done' && sum(failures) === 0 && !hasFaults && seconds >= minSeconds
}

function signsByKernel({ phases }: VariantResult, fastest: number | null): readonly Sign[] {
  const percent = 100 - (slowestPercent(phases, fastest) ?? 100)
  if (percent <= 100 - slowBelowPercent) return []
  return [{ percent, because: `${percentText(percent)} slower than the fastest run of the result, by a fixed kernel` }]
}

function signsByCpu(cpu: CpuTime, least: CpuTime): readonly Sign[] {
  const client = percentAbove(cpu.client, least.client)
  const server = percentAbove(cpu.server, least.server)
  if (client === null || client <= slowAbovePercent || (server !== null && server <= slowAbovePercent)) return []
  const ofServer = server === null ? '' : ` and ${percentText(server)} of the server`
  const because = `${percentText(client)} more CPU time of the client${ofServer} for each operation than in the fastest run of the row`
  return [{ percent: Math.min(client, server ?? client), because }]
}

const percentAbove = (value: number | null, least: number | null): number | null =>
  value === null || least === null || least === 0 ? null : (value / least - 1) * 100

const percentText = (percent: number): string => `${Math.round(percent)} %`

const unknown: CpuTime = { client: null, server: null }

/** Without the server, where its CPU time is not known of all. */
const comparable = (times: readonly CpuTime[]): readonly CpuTime[] =>
  times.every(({ server }) => server !== null) ? times : times.map(({ client }) => ({ client, server: null }))

const totalOf = ({ client, server }: CpuTime): number => (client ?? Infinity) + (server ?? 0)
