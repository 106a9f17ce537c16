import { type Path } from '../json.ts'
import { type BulkSpec, modelShapes, modelsOf } from '../operations/bulk-models.ts'
import { getOperation, type MethodOperationSpec, type StepSpec } from '../operations/index.ts'
import { type ArgumentShape, wholeNumberOptions } from '../operations/operation.ts'
import { isDocument, isOperators } from '../values/bson-types.ts'
import { type Report } from '../values/scope.ts'

const areDocuments = (value: unknown): boolean => Array.isArray(value) && value.length > 0 && value.every(isDocument)

const isReplacement = (value: unknown): boolean => isDocument(value) && !Object.keys(value)[0]?.startsWith('$')

const areStages = (value: unknown): boolean => Array.isArray(value) && value.every(isDocument)

const shapes: Readonly<Record<ArgumentShape, { fits: (value: unknown) => boolean; reason: string }>> = {
  document: { fits: isDocument, reason: 'must be an object' },
  documents: { fits: areDocuments, reason: 'must be an object' },
  update: {
    fits: (value) => isOperators(value) || areDocuments(value),
    reason: 'must be update operators, such as {"$set": …}, or a pipeline',
  },
  replacement: { fits: isReplacement, reason: 'must be an object without update operators, such as {"$set": …}' },
  stages: { fits: areStages, reason: 'must be a list of stages, such as {"$match": …}' },
  // Their parts are validated one by one.
  writes: { fits: Array.isArray, reason: 'must be a list' },
  text: { fits: (value) => typeof value === 'string', reason: 'must be a text' },
  // An invalid size has no content.
  content: { fits: Array.isArray, reason: 'must be a number of KB, 0 to 16777216' },
}

/** Validates the arguments of a call: whether their types are those of the method. */
export function validateArguments(
  spec: MethodOperationSpec | StepSpec,
  args: readonly unknown[],
  path: Path,
  report: Report,
): void {
  for (const [i, [field, shape]] of Object.entries(getOperation(spec.kind).positional).entries()) {
    const { fits, reason } = shapes[shape]
    const isGiven = (spec as Readonly<Record<string, unknown>>)[field] !== undefined
    if (isGiven && !fits(args[i])) report([...path, field], reason)
  }
  validateOptions(args.at(-1), path, report)
  if ('operations' in spec) validateWrites(spec, args[0] as readonly Written[], path, report)
}

function validateOptions(options: unknown, path: Path, report: Report): void {
  if (!isDocument(options)) return
  for (const field of wholeNumberOptions) {
    const drawn = options[field]
    if (drawn !== undefined && !(Number.isSafeInteger(drawn) && Number(drawn) >= 0))
      report([...path, field], `must be a whole number of at least 0, not ${JSON.stringify(drawn)}`)
  }
}

/** A write of a bulk in the driver's form: with its fields directly, or under its kind. */
type Written = Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>

function validateWrites(spec: BulkSpec, writes: readonly Written[], path: Path, report: Report): void {
  for (const [i, { kind, model }] of modelsOf(spec).entries()) {
    const written = writes[i]?.[kind] ?? writes[i]
    for (const [field, shape] of Object.entries(modelShapes))
      if (written && model[field] !== undefined && !shapes[shape].fits(written[field]))
        report([...path, 'operations', i, kind, field], shapes[shape].reason)
  }
}
