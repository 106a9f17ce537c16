import { type Collection, type Db } from 'mongodb'
import { fixedValue } from '../language/values/fixed-value.ts'
import { changesCollection, type EvidencePart, type EvidenceRequest } from '../load/evidence.ts'
import { type OperationPlan, type PhasePlan } from '../load/plan/plan.ts'
import { listOccurrences } from '../results/occurrences.ts'
import { type CheckResult, type PhaseResult } from '../results/schema.ts'
import {
  type CheckContext,
  type Findings,
  type ObservedInsert,
  type NamedInsert,
  type OpenCheck,
  Inconclusive,
} from '../servers/checks/check.ts'
import { describeDurability, readVoters, weakest, whyLossIsAllowed } from '../servers/checks/durability.ts'
import { type CheckSpec, getCheck, nameOfCheck } from '../servers/checks/index.ts'
import { Ledger } from '../servers/checks/ledger.ts'
import { Tally } from '../servers/checks/tally.ts'
import { isDriverError } from '../servers/targets/connection/driver-error.ts'
import { redactQuote } from '../servers/targets/connection/redact.ts'
import { type DataSet } from '../spec/plan/data-set.ts'
import { getOperationName } from '../spec/plan/names.ts'
import { findInsert, findOperation, type FoundInsert, type FoundOperation } from '../spec/plan/observed-operations.ts'
import { listWriteConcerns } from '../spec/plan/phase-operations.ts'
import { writeConcernsOfChanges } from '../spec/plan/writers.ts'
import { type PhaseSpec } from '../spec/schema/phase-schema.ts'
import { type Spec } from '../spec/schema/schema.ts'
import { type RowEnvironment } from './run-environment.ts'

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

export type RowChecksContext = Pick<RowEnvironment, 'clock' | 'signal' | 'secrets' | 'at' | 'emit'> & {
  readonly db: Db
  readonly dataSets: readonly DataSet[]
}

/** A check that a row has, until it cannot go on. */
type Running = { readonly spec: CheckSpec; readonly open: OpenCheck; trouble: string | null }

/** Evidence that a check wants of a phase, and where it goes. */
type Wanted = { readonly request: EvidenceRequest; readonly take: (part: EvidencePart) => void }

/** Undefined: the phase has none. */
type WantedOf = (plan: PhasePlan) => Wanted | undefined

/** Opens the checks of a row before its phases run. */
export function openChecks(spec: Spec, context: RowChecksContext): RowChecks {
  const { signal, secrets, at, emit } = context
  const observed: WantedOf[] = []
  let hasCrashed = false
  const opened = contextFor(spec, context, observed, () => hasCrashed)
  const running = spec.checks.map((check): Running => ({
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

function contextFor(
  spec: Spec,
  { db, dataSets, clock, signal }: RowChecksContext,
  observed: WantedOf[],
  crashed: () => boolean,
): CheckContext {
  const collection = (name: string): Collection => {
    const { database, collection: own } = dataSets.find((dataSet) => dataSet.spec.collection === name)?.namespace ?? {
      database: undefined,
      collection: name,
    }
    return (database === undefined ? db : db.client.db(database)).collection(own)
  }
  const promiseOf = (writeConcerns: readonly PhaseSpec['writeConcern'][]) => async (): Promise<string | null> => {
    const voters = await readVoters(db)
    return whyLossIsAllowed(weakest(writeConcerns.map((concern) => describeDurability(concern, voters))), crashed())
  }
  return {
    db,
    collection,
    clock,
    signal,
    fixed: (node) => fixedValue(node),
    insert(named, field): ObservedInsert {
      const found = requireFound(findInsert(named, spec), named)
      const ledger = new Ledger()
      observed.push((plan) => requestInserts(found, field, ledger, plan))
      return {
        ledger,
        collection: collection(found.collection),
        phase: found.phase.name,
        whyLossIsAllowed: promiseOf([found.writeConcern]),
      }
    },
    changes(name, addresses) {
      const tally = new Tally()
      const meant = addresses?.map((address) => requireFound(findOperation(address, spec), { address }))
      observed.push((plan) => requestChanges(name, meant, tally, plan))
      const writeConcerns =
        meant?.flatMap(({ operation, step, phase }) =>
          listWriteConcerns(operation, phase, step ? [step] : undefined),
        ) ?? writeConcernsOfChanges(name, spec)
      return { tally, whyLossIsAllowed: promiseOf(writeConcerns) }
    },
  }
}

/** A row that has been checked has what its checks name. */
function requireFound<Found extends object>(
  found: Found | { readonly reason: string },
  { address }: Pick<NamedInsert, 'address'>,
): Found {
  if ('reason' in found) throw new Error(`${address}: ${String(found.reason)}`)
  return found
}

/** @param field The field that identifies the documents. */
function requestInserts(
  { phase, operation: name, step }: FoundInsert,
  field: string,
  ledger: Ledger,
  plan: PhasePlan,
): Wanted | undefined {
  const operation = plan.operations.findIndex((one) => one.name === name)
  const planned = plan.operations[operation]
  if (phase.name !== plan.name || planned === undefined) return undefined
  const steps = 'steps' in planned ? planned.steps : []
  return {
    request: {
      kind: 'inserts',
      operation,
      step: step === null ? undefined : steps.findIndex((one) => one.name === step),
      field,
    },
    take: (part) => (part.kind === 'ledger' ? ledger.add(part) : undefined),
  }
}

/** @param meant The operations whose calls count. Undefined: all. */
function requestChanges(
  collection: string,
  meant: readonly FoundOperation[] | undefined,
  tally: Tally,
  plan: PhasePlan,
): Wanted | undefined {
  const operations = plan.operations.flatMap((operation, i) =>
    changesCollection(operation, collection) && isMeant(operation, plan, meant) ? [i] : [],
  )
  if (operations.length === 0) return undefined
  return {
    request: { kind: 'changes', collection, operations },
    take: (part) => (part.kind === 'tally' ? tally.add(part) : undefined),
  }
}

const isMeant = (operation: OperationPlan, plan: PhasePlan, meant: readonly FoundOperation[] | undefined): boolean =>
  meant === undefined ||
  meant.some((found) => found.phase.name === plan.name && getOperationName(found.operation) === operation.name)
