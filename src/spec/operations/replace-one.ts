import { type Json } from '../../core/json.ts'
import { type BuildArguments, defineOperation, type OperationContext, optionsCall } from './operation.ts'
import { filter, firstInOrder, replacement, upsert, writeOptions } from './options.ts'

const options = { upsert, sort: firstInOrder, ...writeOptions }

/** Only the bytes of the new document count. */
export function replaceCall(
  spec: { readonly filter: Json; readonly replacement: Json },
  optionNames: readonly string[],
  context: OperationContext,
): BuildArguments {
  const which = context.value(spec.filter, 'filter')
  const document = context.value(spec.replacement, 'replacement')
  const readOptions = optionsCall(spec, optionNames, context)
  return (drawContext) => {
    const matching = which(drawContext)
    const built = readOptions(drawContext)
    drawContext.bytes = 0
    return { filter: matching, replacement: document(drawContext), options: built }
  }
}

export const replaceOne = defineOperation({
  kind: 'replaceOne',
  summary: 'Replace one document.',
  fields: { filter, replacement, ...options },
  reply: 'update',
  carriesDocuments: true,
  documentsPerCall: () => 1,
  compile: (spec, context) => replaceCall(spec, [...Object.keys(options), 'let'], context),
})
