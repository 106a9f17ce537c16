import { type EvidencePart, type EvidenceRequest } from '../load/evidence.ts'
import { type PhasePlan } from '../load/plan/plan.ts'
import { listOccurrences } from '../results/occurrences.ts'
import { type CheckResult, type PhaseResult } from '../results/schema.ts'
import { type Findings, type OpenCheck, Inconclusive } from '../servers/checks/check.ts'
import { type CheckSpec, getCheck, nameOfCheck } from '../servers/checks/index.ts'
import { isDriverError } from '../servers/targets/connection/driver-error.ts'
import { redactQuote } from '../servers/targets/connection/redact.ts'
import { type Spec } from '../spec/schema/schema.ts'
import { type CheckedRow, createCheckContext, type WantedOf } from './check-context.ts'
import { type RowRun } from './row-run.ts'

/** Faults that end a server without a chance to write its journal. */
const crashes: ReadonlySet<string> = new Set(['kill', 'fileSizeLimit'])

/** The checks of a row while it runs. Disposing ends what they do during a phase. */
export type RowChecks = AsyncDisposable & {
  /** Returns the evidence of the calls of a phase that is to be observed, and who takes it, in the same order. */
  readonly observersFor: (plan: PhasePlan) => {
    readonly evidence: readonly EvidenceRequest[]
    readonly onEvidence: (parts: readonly EvidencePart[]) => void
  }
  readonly phaseBegins: (phase: string) => Promise<void>
  readonly phaseEnds: (phase: string) => Promise<void>
  /**
   * To be awaited after the last phase, when the servers are left alone.
   * @param phases All that were run, those that are not measured among them: faults happen there too.
   */
  readonly finish: (phases: readonly Pick<PhaseResult, 'faults'>[]) => Promise<CheckResult[]>
}

/** A check that a row has, until it cannot go on. */
type Running = { readonly spec: CheckSpec; readonly open: OpenCheck; trouble: string | null }

/** Opens the checks of a row before its phases run. */
export function openChecks(row: CheckedRow & Pick<RowRun, 'secrets' | 'at' | 'emit'>): RowChecks {
  const { signal, secrets, at, emit } = row
  const observed: WantedOf[] = []
  let hasCrashed = false
  const opened = createCheckContext(row, observed, () => hasCrashed)
  const running = row.spec.checks.map((check): Running => ({
    spec: check,
    open: getCheck(check.kind).open(check as never, opened),
    trouble: null,
  }))

  /** A check that cannot go on takes nothing with it but itself. */
  async function attempt<Done>(check: Running, work: () => Promise<Done>): Promise<Done | undefined> {
    if (check.trouble !== null) return undefined
    try {
      return await work()
    } catch (error) {
      if (!isForeseen(error)) throw error
      check.trouble = redactQuote(error.message, secrets)
      return undefined
    }
  }

  const phaseEnds = async (phase: string): Promise<void> => {
    for (const check of running) await attempt(check, async () => check.open.phaseEnds?.(phase))
  }

  return {
    phaseEnds,
    observersFor(plan) {
      const wanted = observed.flatMap((wantedOf) => wantedOf(plan) ?? [])
      return {
        evidence: wanted.map(({ request }) => request),
        onEvidence: (parts) => parts.forEach((part, i) => wanted[i]?.take(part)),
      }
    },
    async phaseBegins(phase) {
      for (const check of running) await attempt(check, async () => check.open.phaseBegins?.(phase))
    },
    async finish(phases) {
      hasCrashed = phases.flatMap(({ faults }) => listOccurrences(faults)).some(({ kind }) => crashes.has(kind))
      const results: CheckResult[] = []
      for (const check of running) {
        if (!signal.aborted) emit({ kind: 'check', at, name: nameOfCheck(check.spec) })
        const found = signal.aborted ? undefined : await attempt(check, () => check.open.finish())
        const reason = signal.aborted ? interrupted : (check.trouble ?? interrupted)
        results.push(createCheckResult(check.spec, found ?? unchecked(reason), secrets))
      }
      return results
    },
    async [Symbol.asyncDispose]() {
      await phaseEnds('')
    },
  }
}

const interrupted = 'the run was interrupted'

/** Returns the checks of a row that did not get to its end. */
export const uncheckedResults = ({ checks }: Pick<Spec, 'checks'>, reason: string): CheckResult[] =>
  checks.map((check) => createCheckResult(check, unchecked(reason), []))

const unchecked = (reason: string): Findings => ({ status: 'not-checked', reason, measures: {}, evidence: [] })

const createCheckResult = (check: CheckSpec, found: Findings, secrets: readonly string[]): CheckResult => ({
  name: nameOfCheck(check),
  kind: check.kind,
  status: found.status,
  reason: found.reason === null ? null : redactQuote(found.reason, secrets),
  measures: { ...found.measures },
  evidence: found.evidence.map((text) => redactQuote(text, secrets)),
})

/** An error of a check itself, or of a server that is gone, refuses, or took too long. */
const isForeseen = (error: unknown): error is Error =>
  error instanceof Inconclusive ||
  isDriverError(error) ||
  (error instanceof Error && ['AbortError', 'TimeoutError'].includes(error.name))
