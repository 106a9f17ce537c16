import { z } from 'zod'
import { aggregate } from './aggregate.ts'
import { bulkWrite } from './bulk-write.ts'
import { type ChangeStreamSpec, changeStreamSpec } from './change-stream.ts'
import { clientBulkWrite } from './client-bulk-write.ts'
import { command } from './command.ts'
import { connect } from './connect.ts'
import { countDocuments } from './count-documents.ts'
import { deleteMany } from './delete-many.ts'
import { deleteOne } from './delete-one.ts'
import { distinct } from './distinct.ts'
import { estimatedDocumentCount } from './estimated-document-count.ts'
import { findOneAndDelete } from './find-one-and-delete.ts'
import { findOneAndReplace } from './find-one-and-replace.ts'
import { findOneAndUpdate } from './find-one-and-update.ts'
import { findOne } from './find-one.ts'
import { find } from './find.ts'
import { callFunction } from './function.ts'
import { gridfsDownload } from './gridfs-download.ts'
import { gridfsUpload } from './gridfs-upload.ts'
import { insertMany } from './insert-many.ts'
import { insertOne } from './insert-one.ts'
import { type Operation } from './operation.ts'
import { replaceOne } from './replace-one.ts'
import { type StepOf, stepsSpec, toOwnStep } from './steps.ts'
import { type TransactionStepOf, toTransactionStep, transactionSpec } from './transaction.ts'
import { updateMany } from './update-many.ts'
import { updateOne } from './update-one.ts'

/** Operations that the server supports in transactions, too. */
const inTransactions = [
  insertOne,
  insertMany,
  findOne,
  find,
  aggregate,
  countDocuments,
  distinct,
  updateOne,
  updateMany,
  replaceOne,
  deleteOne,
  deleteMany,
  findOneAndUpdate,
  findOneAndReplace,
  findOneAndDelete,
  bulkWrite,
] as const satisfies readonly Operation[]

/** A new operation is one file, and one word here or in the list above. */
export const operations = [
  ...inTransactions,
  estimatedDocumentCount,
  clientBulkWrite,
  command,
  connect,
  gridfsUpload,
  gridfsDownload,
  callFunction,
] as const satisfies readonly Operation[]

type SpecsOf<Entries extends readonly Operation[]> = { -readonly [Index in keyof Entries]: Entries[Index]['spec'] }
type StepSpecsOf<Entries extends readonly Operation[]> = {
  -readonly [Index in keyof Entries]: StepOf<Entries[Index]['spec']>
}

type TransactionStepSpecsOf<Entries extends readonly Operation[]> = {
  -readonly [Index in keyof Entries]: TransactionStepOf<Entries[Index]['spec']>
}

const methodSpecs = operations.map(({ spec }) => spec) as unknown as SpecsOf<typeof operations>
const stepSpec = z
  .discriminatedUnion('kind', operations.map(toOwnStep) as unknown as StepSpecsOf<typeof operations>)
  .meta({ title: 'Step' })
const steps = stepsSpec(stepSpec)
const transactionStepSpec = z
  .discriminatedUnion(
    'kind',
    inTransactions.map(({ spec }) => toTransactionStep(spec as z.ZodObject)) as unknown as TransactionStepSpecsOf<
      typeof inTransactions
    >,
    { error: ({ input }) => whyNotInTransactions((input as { readonly kind?: unknown } | null)?.kind) },
  )
  .meta({ title: 'TransactionStep' })
const transaction = transactionSpec(transactionStepSpec)

/** All kinds of entries of the `operations` of a phase, for lists and pages. */
export const operationKinds: readonly { readonly kind: string; readonly summary: string }[] = [
  ...operations,
  { kind: 'steps', summary: steps.description ?? '' },
  { kind: 'transaction', summary: transaction.description ?? '' },
  { kind: 'changeStream', summary: changeStreamSpec.description ?? '' },
]

/** Kinds that there are, but not there. Undefined: there is no such kind, or it is no kind at all. */
function whyNotInTransactions(kind: unknown): string | undefined {
  if (!operationKinds.some((known) => known.kind === kind)) return undefined
  const kinds = inTransactions.map((operation) => operation.kind).join(', ')
  return `"${String(kind)}" cannot be a step of a transaction; these can: ${kinds}`
}

export const operationSpec = z
  .discriminatedUnion('kind', [...methodSpecs, steps, transaction, changeStreamSpec])
  .meta({ title: 'Operation' })

export type OperationSpec = z.output<typeof operationSpec>
/** Several calls, timed as one operation. */
export type StepsSpec = z.output<typeof steps>
export type StepSpec = z.output<typeof stepSpec>
/** Several calls that are done together or not at all. */
export type TransactionSpec = z.output<typeof transaction>
export type TransactionStepSpec = z.output<typeof transactionStepSpec>
/** An operation of one call. */
export type MethodOperationSpec = Exclude<OperationSpec, StepsSpec | TransactionSpec | ChangeStreamSpec>
/** Operations that are drawn and called; change streams watch meanwhile. */
export type CalledSpec = MethodOperationSpec | StepsSpec | TransactionSpec

/** Whether an operation makes calls; a change stream makes none. */
export const isCalled = (spec: OperationSpec): spec is CalledSpec => spec.kind !== 'changeStream'

/** Name of an operation or a step in tables and addresses. */
export const getOperationName = (spec: OperationSpec | StepSpec): string =>
  spec.name ?? (spec.kind === 'function' ? spec.function : spec.kind)

const byKind = new Map<string, Operation>(operations.map((operation) => [operation.kind, operation]))

/** Returns the operation of a kind; throws when there is none. */
export function getOperation(kind: string): Operation {
  const found = byKind.get(kind)
  if (!found) throw new Error(`No operation of kind "${kind}"`)
  return found
}
