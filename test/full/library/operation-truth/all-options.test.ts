import { describe, expect, test } from 'vitest'
import { type z } from 'zod'
import { replyTraits } from '../../../../src/load/engines/reply-traits.ts'
import { modelFields } from '../../../../src/spec/operations/bulk-models.ts'
import { operations } from '../../../../src/spec/operations/index.ts'
import { type Operation } from '../../../../src/spec/operations/operation.ts'
import { bulks, clientBulk } from './bulks.ts'
import { ownOptions } from './own-options.ts'
import { reads } from './reads.ts'
import { writes } from './writes.ts'

const tested: Readonly<Record<string, { readonly options: object }>> = {
  ...reads,
  ...writes,
  ...bulks,
  clientBulkWrite: clientBulk,
}

/** Words of every operation, which have tests of their own, and sizes of batches, which are in the arguments. */
const common = new Set(
  'kind name weight share collection database remember pause exact expectErrors documentsPerCall operationsPerCall'.split(
    ' ',
  ),
)

/** Fields that are arguments of their calls, and no options. */
const argumentFields = new Set(
  'filter update replacement document documents pipeline key command operations'.split(' '),
)

/** Driver methods that have no option of this name: there the word is ours alone. */
const withoutLet = new Set(['insertOne', 'insertMany', 'estimatedDocumentCount', 'distinct', 'command', 'connect'])

function optionsOf({ kind, spec }: Operation): readonly string[] {
  const words = Object.keys(spec.shape as z.ZodRawShape)
  const options = words.filter((word) => !common.has(word) && !argumentFields.has(word))
  const own = options.filter((word) => word !== 'let' || !withoutLet.has(kind))
  return 'operations' in spec.shape ? [...own, ...modelOptions] : own
}

const modelArguments = new Set(['filter', 'update', 'document', 'replacement'])

const modelOptions = Object.entries(modelFields).flatMap(([kind, fields]) =>
  Object.keys(fields).flatMap((field) => (modelArguments.has(field) ? [] : `${kind}.${field}`)),
)

/** Files and functions have tests of their own. */
const onCollections = (operations as readonly Operation[]).filter(
  ({ kind, reply }) => !replyTraits[reply].usesBucket && kind !== 'function',
)

describe('every option has a case in which it makes a difference', () => {
  test.each(onCollections.map((operation) => [operation.kind, operation] as const))('%s', (kind, operation) => {
    const cases = [...Object.keys(tested[kind]?.options ?? {}), ...(ownOptions[kind] ?? [])]
    expect(cases.toSorted()).toEqual(optionsOf(operation).toSorted())
  })
})
