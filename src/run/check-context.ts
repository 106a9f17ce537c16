import { type Collection } from 'mongodb'
import { fixedValue } from '../language/values/fixed-value.ts'
import { changesCollection, type EvidencePart, type EvidenceRequest } from '../load/evidence.ts'
import { type OperationPlan, type PhasePlan } from '../load/plan/plan.ts'
import { type CheckContext, type ObservedInsert, type NamedInsert } from '../servers/checks/check.ts'
import { describeDurability, readVoters, weakest, whyLossIsAllowed } from '../servers/checks/durability.ts'
import { Ledger } from '../servers/checks/ledger.ts'
import { Tally } from '../servers/checks/tally.ts'
import { getOperationName } from '../spec/operations/index.ts'
import { findInsert, findOperation, type FoundInsert, type FoundOperation } from '../spec/plan/observed-operations.ts'
import { listWriteConcerns } from '../spec/plan/phase-operations.ts'
import { writeConcernsOfChanges } from '../spec/plan/writers.ts'
import { type PhaseSpec } from '../spec/schema/phase-schema.ts'
import { type RowRun } from './row-run.ts'

/** A row whose checks are opened. */
export type CheckedRow = Pick<RowRun, 'spec' | 'db' | 'dataSets' | 'clock' | 'signal'>

/** Evidence that a check wants of a phase, and where it goes. */
type Wanted = { readonly request: EvidenceRequest; readonly take: (part: EvidencePart) => void }

/** Undefined: the phase has none. */
export type WantedOf = (plan: PhasePlan) => Wanted | undefined

/**
 * Creates what the checks of a row can see and do.
 * @param observed Takes what they want of its phases.
 * @param crashed Whether a server has crashed since.
 */
export function createCheckContext(
  { spec, db, dataSets, clock, signal }: CheckedRow,
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
