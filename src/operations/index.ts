import { z } from 'zod'
import { deleteOne } from './delete-one.ts'
import { findOne } from './find-one.ts'
import { find } from './find.ts'
import { insertMany } from './insert-many.ts'
import { insertOne } from './insert-one.ts'
import { type Operation } from './operation.ts'
import { updateOne } from './update-one.ts'

/** A new operation is one file, and one word here. */
export const operations = [
  insertOne,
  insertMany,
  findOne,
  find,
  updateOne,
  deleteOne,
] as const satisfies readonly Operation[]

type SpecsOf<Entries extends readonly Operation[]> = { -readonly [Index in keyof Entries]: Entries[Index]['spec'] }

export const operationSpec = z.discriminatedUnion(
  'kind',
  operations.map(({ spec }) => spec) as unknown as SpecsOf<typeof operations>,
)

export type OperationSpec = z.output<typeof operationSpec>

const byKind = new Map<string, Operation>(operations.map((operation) => [operation.kind, operation]))

export function getOperation(kind: string): Operation {
  const found = byKind.get(kind)
  if (!found) throw new Error(`No operation of kind "${kind}"`)
  return found
}
