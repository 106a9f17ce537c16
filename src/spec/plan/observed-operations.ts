import { didYouMean, nearest } from '../../core/nearest.ts'
import { type NamedInsert } from '../../servers/checks/check.ts'
import { type CalledSpec, getOperationName, type MethodOperationSpec, type StepSpec } from '../operations/index.ts'
import { type PhaseSpec } from '../schema/phase-schema.ts'
import { type Spec } from '../schema/schema.ts'
import { listNames } from './addressed.ts'
import { calledIn, listMethods, listWriteConcerns } from './phase-operations.ts'

/** An operation of the row, or one of its steps, by its address. */
export type FoundOperation = {
  readonly phase: PhaseSpec
  readonly operation: CalledSpec
  /** Null: the operation as a whole. */
  readonly step: StepSpec | null
}

/** An insert that a check listens to. */
export type FoundInsert = {
  readonly phase: PhaseSpec
  readonly operation: string
  /** Null: the operation is the insert. */
  readonly step: string | null
  /** Collection name that operations use. */
  readonly collection: string
  readonly writeConcern: PhaseSpec['writeConcern']
}

type OperationIssue = { readonly reason: string }

type Searched = Pick<Spec, 'phases' | 'data'>

/** Looks up `[phase.]operation[.step]`, set-up phases among them: what they write is there too. */
export function findOperation(address: string, { phases }: Searched): FoundOperation | OperationIssue {
  const known = phases.flatMap((phase) => calledIn(phase).flatMap(({ spec }) => listOperationNames(phase, spec)))
  const [found, ...others] = known.filter(({ name }) => name === address)
  if (found === undefined) {
    const meant = nearest(
      address,
      known.map(({ name }) => name),
    )
    return { reason: `no operation is called "${address}"${didYouMean(meant)}` }
  }
  if (others.length === 0) return found.at
  return { reason: `several operations are called "${address}": put the name of the phase in front` }
}

type Named = { readonly name: string; readonly at: FoundOperation }

function listOperationNames(phase: PhaseSpec, operation: CalledSpec): readonly Named[] {
  const named = (name: string, step: StepSpec | null): readonly Named[] => {
    const at = { phase, operation, step }
    return [
      { name, at },
      { name: `${phase.name}.${name}`, at },
    ]
  }
  const steps = 'steps' in operation ? operation.steps : []
  return [
    ...named(getOperationName(operation), null),
    ...steps.flatMap((step) => named(`${getOperationName(operation)}.${getOperationName(step)}`, step)),
  ]
}

type InsertSpec = Extract<MethodOperationSpec | StepSpec, { kind: 'insertOne' | 'insertMany' }>

const isInsert = (method: MethodOperationSpec | StepSpec): method is InsertSpec =>
  method.kind === 'insertOne' || method.kind === 'insertMany'

/** The insert that a check means, or why it cannot be listened to. */
export function findInsert({ address, into }: NamedInsert, spec: Searched): FoundInsert | OperationIssue {
  const found = findOperation(address, spec)
  if ('reason' in found) return found
  const { phase, operation, step } = found
  const collectionOf = (insert: InsertSpec): string => listNames(insert, spec.data)[0] ?? ''
  const methods = step === null ? listMethods(operation) : [step]
  const inserts = methods.filter(isInsert).filter((method) => into === undefined || collectionOf(method) === into)
  const [insert, ...others] = inserts
  const where = into === undefined ? '' : ` into "${into}"`
  if (insert === undefined) return { reason: `"${address}" inserts nothing${where}: name an insertOne or insertMany` }
  if (others.length > 0)
    return {
      reason: `several steps of "${address}" insert${where}: name one, as in "${address}.${getOperationName(insert)}"`,
    }
  const collection = collectionOf(insert)
  const isOfSeveral = spec.data.some(
    (dataSet) => dataSet.collection === collection && dataSet.collections !== undefined,
  )
  const reason =
    insert.forceServerObjectId === true
      ? `the ids of "${address}" are made by the server ("forceServerObjectId"), and are not known here`
      : (whyUnobserved(phase) ??
        (isOfSeveral ? `"${address}" inserts into several collections, and a check reads one` : null))
  if (reason !== null) return { reason }
  return {
    phase,
    operation: getOperationName(operation),
    step: 'steps' in operation ? getOperationName(insert) : null,
    collection,
    writeConcern: listWriteConcerns(operation, phase, [insert])[0] ?? phase.writeConcern,
  }
}

/** Why the calls of a phase are no evidence for a check. Null: they are. */
export const whyUnobserved = ({ name, writeConcern }: PhaseSpec): string | null =>
  writeConcern.w === 0 ? `the phase "${name}" writes with "w": 0: nothing is acknowledged` : null
