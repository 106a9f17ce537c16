import { type JsonObject } from '../../src/core/json.ts'
import { driverMethods, type MethodOwner } from '../../src/load/engines/driver/owners.ts'
import { operations, operationSpec } from '../../src/spec/operations/index.ts'
import { type Operation, timedFields } from '../../src/spec/operations/operation.ts'
import { printSpec } from '../../src/spec/parse/print-spec.ts'
import { toSchema } from './editor/editor-schema.ts'
import { isSchema, type Schema } from './editor/share-schemas.ts'
import { exampleOperation } from './editor/snippets.ts'
import { type Field, fieldTable } from './fields.ts'
import { code, jsonBlock, linkTo, paragraphs, table } from './markdown.ts'
import { type ReadText } from './page.ts'
import { shareFields, splitPages } from './parts.ts'
import { describeCounts } from './replies.ts'
import { createSections, renderSection, type Section, type Sections } from './sections.ts'

const owners = {
  collection: 'collection',
  database: 'db',
  client: 'client',
  bucket: 'bucket',
} as const satisfies Record<Exclude<MethodOwner, 'functions' | 'connections'>, string>

/** Path of the example of an operation, which a test runs. */
const examplePath = (kind: string): string => `fixtures/examples/operations/${kind}.json`

type Entry = {
  readonly kind: string
  readonly summary: string
  readonly schema: Schema
  readonly method: Operation | undefined
}

/** All kinds of operations, methods of the driver first. */
const entries = (): readonly Entry[] =>
  operationSpec.options.map((spec) => {
    const kind = String(spec.shape.kind.value)
    return {
      kind,
      summary: spec.description ?? '',
      schema: toSchema(spec),
      method: operations.find((operation) => operation.kind === kind),
    }
  })

/** Fields that every method has, described once. */
const sharedNames: ReadonlySet<string> = new Set([...Object.keys(timedFields), 'collection', 'database', 'let'])

const withFields = (schema: Schema, keep: (name: string) => boolean): Schema => ({
  ...schema,
  properties: Object.fromEntries(
    Object.entries(isSchema(schema['properties']) ? schema['properties'] : {}).filter(([name]) => keep(name)),
  ),
})

const stepLists: ReadonlySet<string> = new Set(['steps.steps', 'transaction.steps'])

/** Fields of steps that operations of the same kind do not have. */
const stepFields: ReadonlySet<string> = new Set(['name', 'when', 'abortWhen'])

/** The schema of any step: those fields are the same for all kinds. */
function firstStep({ properties }: Schema): Schema {
  const steps = isSchema(properties) ? properties['steps'] : undefined
  const items = isSchema(steps) ? steps['items'] : undefined
  const [first] = isSchema(items) && Array.isArray(items['oneOf']) ? (items['oneOf'] as readonly Schema[]) : []
  return first ?? {}
}

const newSections = (): Sections =>
  createSections({
    // An object that several operations share is named after its field.
    titleOf: (path) => (path.includes('[]') ? path : (path.split('.').at(-1) ?? path)),
    elsewhere: (path) => (stepLists.has(path) ? 'list of operations on this page, 1 to 100' : undefined),
  })

type OperationSections = {
  readonly shared: Section
  /** One for each kind, in the order of the kinds. */
  readonly own: readonly Section[]
  /** The additional fields of steps, by the kind of operation that has steps. */
  readonly ofSteps: ReadonlyMap<string, readonly Field[]>
  /** Objects inside of operations. */
  readonly nested: readonly Section[]
}

/** The fields of every operation. */
export function operationSections(): OperationSections {
  const nested = newSections()
  const [first] = entries()
  const shared = {
    title: 'Fields of every operation',
    intro: '',
    fields: nested.fieldsOf(
      withFields(first?.schema ?? {}, (name) => sharedNames.has(name)),
      '',
    ),
  }
  const isShared = (field: Field): boolean =>
    shared.fields.some((each) => JSON.stringify(each) === JSON.stringify(field))
  const own = entries().map(({ kind, summary, schema, method }) => ({
    title: kind,
    intro: summary,
    fields: nested
      .fieldsOf(
        withFields(schema, (name) => method === undefined || !sharedNames.has(name)),
        kind,
      )
      .filter((field) => !isShared(field)),
  }))
  const ofSteps = new Map(
    entries()
      .filter(({ kind }) => stepLists.has(`${kind}.steps`))
      .map(({ kind, schema }) => [
        kind,
        nested.fieldsOf(
          withFields(firstStep(schema), (name) => stepFields.has(name)),
          `${kind}.steps[]`,
        ),
      ]),
  )
  return { shared, own, ofSteps, nested: nested.found() }
}

/** The pages of operations: methods of a collection, and what takes several steps or has no documents. */
const operationParts = [
  {
    file: 'operations.md',
    title: 'Operations',
    summary: 'Fields of every operation; reads, writes and bulk writes.',
  },
  {
    file: 'operations-steps.md',
    title: 'Operations: steps, transactions, streams and others',
    summary: 'Several steps, transactions, change streams, commands, GridFS, own functions.',
  },
] as const

const notOfCollections: ReadonlySet<string> = new Set([
  'command',
  'connect',
  'gridfsUpload',
  'gridfsDownload',
  'function',
  'steps',
  'transaction',
  'changeStream',
])

/** Operations that have a field alike before it is described once for all of them. */
const minSharing = 3

const isNestedIn = ({ title }: Section, kind: string): boolean => title.startsWith(`${kind}.`)

const examplesNote =
  'The examples are parts of whole specs, one for each kind: [fixtures/examples/operations](../fixtures/examples/operations/).'

function renderOperations(read: ReadText): readonly string[] {
  const { shared, own, ofSteps, nested } = operationSections()
  const all = entries()
  const common = shareFields(own, 'Shared options', minSharing)
  const commonOfNested = shareFields(nested, 'Shared options of bulk writes', minSharing)
  const objects = commonOfNested.own.filter((section) => !all.some(({ kind }) => isNestedIn(section, kind)))
  const renderKinds = (isIn: (kind: string) => boolean): string => {
    const found = all.flatMap((entry, at) => (isIn(entry.kind) ? [{ entry, at }] : []))
    const inside = commonOfNested.own.filter((section) => found.some(({ entry }) => isNestedIn(section, entry.kind)))
    return paragraphs(
      ...found.map(({ entry, at }) =>
        renderOperation(
          entry,
          { own: common.own[at]?.fields ?? [], also: common.own[at]?.also ?? '', ofSteps: ofSteps.get(entry.kind) },
          read,
        ),
      ),
      ...inside.map((section) => renderSection(section, '###')),
      inside.some(({ also }) => also !== '') ? renderSection(commonOfNested.shared, '###') : '',
    )
  }
  return [
    paragraphs(
      'An operation is a method of the official driver, with the name and the options of the method, or a [function that you write](library.md#functions-measure-your-own-code). Its arguments are built before the clock starts, and it is timed from sending until the last byte is read.',
      examplesNote,
      table(
        ['Kind', 'What it does'],
        all.map(({ kind, summary }) => [linkTo(kind, code(kind)), summary]),
      ),
      '## Fields of every operation',
      fieldTable(shared.fields),
      renderSection(common.shared, '##'),
      '## Objects in operations',
      ...objects.map((section) => renderSection(section, '###')),
      renderKinds((kind) => !notOfCollections.has(kind)),
    ),
    paragraphs(
      `Fields of every operation, and shared options, are on the page of [operations](operations.md). ${examplesNote}`,
      renderKinds((kind) => notOfCollections.has(kind)),
    ),
  ]
}

type Fields = { readonly own: readonly Field[]; readonly also: string; readonly ofSteps: readonly Field[] | undefined }

function renderOperation({ kind, summary, method }: Entry, { own, also, ofSteps }: Fields, read: ReadText): string {
  return paragraphs(
    `## ${kind}`,
    summary,
    jsonBlock(printSpec(exampleOperation(JSON.parse(read(examplePath(kind))) as JsonObject, kind))),
    methodLines(method).join('\n'),
    fieldTable(own),
    also,
    ...(ofSteps
      ? ['A step has the fields of its kind, without `weight`, `share` and `let`, and:', fieldTable(ofSteps)]
      : []),
  )
}

function methodLines(operation: Operation | undefined): readonly string[] {
  if (operation === undefined) return []
  const { needsServer } = operation
  return [
    `- Calls ${code(formatCall(operation))}.`,
    `- Counts ${describeCounts(operation)}`,
    ...(needsServer === undefined ? [] : [`- Needs MongoDB ${needsServer} or newer; rejected on older servers.`]),
  ]
}

function formatCall({ kind }: Operation): string {
  const { on, name, takes } = driverMethods[kind]
  if (on === 'connections') return 'new MongoClient(uri, options).connect()'
  if (on === 'functions') return `yours({ client, db, collection }, ${takes.join()})`
  return `${owners[on]}.${name}(${[...takes, 'options'].join(', ')})`
}

/** `docs/operations.md` and the page of steps. */
export const operationPages = splitPages(operationParts, renderOperations)
