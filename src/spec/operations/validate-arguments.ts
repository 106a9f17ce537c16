import { type Path } from '../../core/json.ts'
import { type Report } from '../../language/issues.ts'
import { isDocument, isOperators } from '../../language/values/bson-types.ts'
import { type ArgumentName, type NamedArguments, type Options, type Write } from '../../load/engines/intent.ts'
import { type BulkSpec, listWriteModels } from './bulk-models.ts'
import { type MethodOperationSpec, type StepSpec } from './index.ts'
import { wholeNumberOptions } from './operation.ts'

const areDocuments = (value: unknown): boolean => Array.isArray(value) && value.length > 0 && value.every(isDocument)

const isReplacement = (value: unknown): boolean => isDocument(value) && !Object.keys(value)[0]?.startsWith('$')

const areStages = (value: unknown): boolean => Array.isArray(value) && value.every(isDocument)

type Shape = { readonly fits: (value: unknown) => boolean; readonly reason: string }

const document: Shape = { fits: isDocument, reason: 'must be an object' }
const text: Shape = { fits: (value) => typeof value === 'string', reason: 'must be a text' }

/** Required shape of an argument, whatever the kind of its call. */
const shapes: Readonly<Record<ArgumentName, Shape>> = {
  filter: document,
  with: document,
  document,
  command: document,
  documents: { fits: areDocuments, reason: 'must be an object' },
  update: {
    fits: (value) => isOperators(value) || areDocuments(value),
    reason: 'must be update operators, such as {"$set": …}, or a pipeline',
  },
  replacement: { fits: isReplacement, reason: 'must be an object without update operators, such as {"$set": …}' },
  pipeline: { fits: areStages, reason: 'must be a list of stages, such as {"$match": …}' },
  // They are looked at one by one.
  writes: { fits: Array.isArray, reason: 'must be a list' },
  key: text,
  filename: text,
  // What is no size has no content.
  content: { fits: Array.isArray, reason: 'must be a number of KB, 0 to 16777216' },
}

const names = Object.keys(shapes) as readonly ArgumentName[]

/** Fields of the spec that arguments are made of, where these have another name. */
const fields: Readonly<Partial<Record<ArgumentName, string>>> = {
  documents: 'document',
  writes: 'operations',
  content: 'sizeKB',
}

/** Whether the arguments of a call are what its kind takes. */
export function validateArguments(
  spec: MethodOperationSpec | StepSpec,
  args: NamedArguments,
  path: Path,
  report: Report,
): void {
  for (const name of names) {
    const field = fields[name] ?? name
    const isGiven = (spec as Readonly<Record<string, unknown>>)[field] !== undefined
    const { fits, reason } = shapes[name]
    if (isGiven && name in args && !fits(args[name])) report([...path, field], reason)
  }
  checkOptions(args.options, path, report)
  if ('operations' in spec) checkWrites(spec, args.writes ?? [], path, report)
}

function checkOptions(options: Options, path: Path, report: Report): void {
  for (const field of wholeNumberOptions) {
    const drawn = options[field]
    if (drawn !== undefined && !(Number.isSafeInteger(drawn) && Number(drawn) >= 0))
      report([...path, field], `must be a whole number of at least 0, not ${JSON.stringify(drawn)}`)
  }
}

function checkWrites(spec: BulkSpec, writes: readonly Write[], path: Path, report: Report): void {
  for (const [i, { kind, model }] of listWriteModels(spec).entries()) {
    const written = writes[i]?.fields
    for (const name of names)
      if (written && model[name] !== undefined && !shapes[name].fits(written[name]))
        report([...path, 'operations', i, kind, name], shapes[name].reason)
  }
}
