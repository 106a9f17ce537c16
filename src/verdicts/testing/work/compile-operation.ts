import { types } from 'node:util'
import { type EJSON } from 'bson'
import { Problem } from '../../../core/errors.ts'
import { isObject, type Json, type JsonObject, type Path, pathText } from '../../../core/json.ts'
import { expressionsIn } from '../../../language/expression.ts'
import { generators } from '../../../language/generators/index.ts'
import { findingText, type Issue, Issues } from '../../../language/issues.ts'
import { DrawBudget, largestDocument } from '../../../language/values/draw-context.ts'
import { type PhasePlan } from '../../../load/plan/plan.ts'
import { readSamples } from '../../../run/data/samples.ts'
import { readRows } from '../../../spec/fold/read-rows.ts'
import { operationKinds, operations } from '../../../spec/operations/index.ts'
import { parseJson } from '../../../spec/parse/parse-json.ts'
import { compilePhase } from '../../../spec/plan/compile-phase.ts'
import { createDataSet } from '../../../spec/plan/data-set.ts'
import { validateRow } from '../../../spec/rules/index.ts'
import { type PhaseSpec } from '../../../spec/schema/phase-schema.ts'
import { type Spec } from '../../../spec/schema/schema.ts'
import { type SpecInput } from '../../../spec/spec-input.ts'
import { specText } from '../../../spec/spec-text.ts'
import { type OperationSubject } from './subject.ts'
import { type OperationInput } from './work.ts'

export type CompileSettings = {
  /** Name in messages. */
  readonly name: string
  readonly seed: number
  readonly workers: number
  /** EJSON of the driver whose BSON types the operation may hold. */
  readonly ejson: typeof EJSON
}

/**
 * Validates and compiles an operation as the only one of a phase. All collections that it names are taken to exist.
 * @throws {Problem} "spec-invalid", with all that is wrong, each at its path in the operation; "usage" for one of several calls.
 */
export async function compileOperation(
  given: OperationInput,
  { client, database, collection }: OperationSubject,
  { name, seed, workers, ejson }: CompileSettings,
): Promise<PhasePlan> {
  const operation = operationJson({ ...(collection !== undefined && { collection }), ...given }, name, ejson)
  refuseOtherKinds(operation)
  const collections = collectionsIn(operation)
  refuseWithoutCollection(operation, collections, name)
  const refuse = (issues: readonly Issue[]): never => {
    throw new Problem(
      'spec-invalid',
      issues.map((issue) => `${name}: ${formatOperationIssue(issue, collections)}`).join('\n'),
      { hint: 'It is written as in the "operations" of a spec. Nothing was called.' },
    )
  }
  const namespaces = collections.map((each) => `${database.databaseName}.${each}`)
  const spec = readSpec(specAround(operation, { seed, workers, namespaces }), refuse)
  const context = { seed, report: (path: Path, reason: string) => refuse([{ code: 'values', path, reason }]) }
  const dataSets = spec.data.map((dataSet, i) => createDataSet(dataSet, ['data', i], context))
  await readSamples(dataSets, spec, { client, database: database.databaseName, cache: new Map() })
  return compilePhase(spec.phases[0] as PhaseSpec, ['phases', 0], dataSets, context)
}

const pathOfOperation: Path = ['phases', 0, 'operations', 0]

/** A spec whose only operation works on collections that exist. */
const specAround = (
  operation: JsonObject,
  { seed, workers, namespaces }: Pick<CompileSettings, 'seed' | 'workers'> & { readonly namespaces: readonly string[] },
): JsonObject => ({
  name: 'measure',
  target: { kind: 'existing' },
  seed,
  data: namespaces.map((existing) => ({ existing })),
  phases: [
    // Operations may not have the name of their phase.
    {
      name: 'rounds-of-measure',
      load: { kind: 'closed', workers },
      stopAfter: { seconds: 1 },
      operations: [operation],
    },
  ],
})

/** Maximum of values that are drawn to try an operation, in bytes of BSON. */
const bytesTried = 2 * largestDocument

function readSpec(root: JsonObject, refuse: (issues: readonly Issue[]) => never): Spec {
  const issues = new Issues()
  const [row] = readRows(root, {}, issues)
  const given = { overrides: {}, budget: new DrawBudget(bytesTried), noteUntried: () => {} }
  if (row !== undefined) validateRow(row, given, issues)
  // What a test does is trusted as its other code is, so nothing is refused for safety.
  const found = issues.found.filter(({ refused }) => refused !== true)
  return row === undefined || found.length > 0 ? refuse(found) : row.spec
}

function formatOperationIssue({ path, ...found }: Issue, collections: readonly string[]): string {
  const reason = findingText(found)
  // Some reasons name what they are about.
  if (path[0] === 'data')
    return reason.startsWith('"') ? reason : `the collection "${collections[Number(path[1])]}" ${reason}`
  const inOperation = path.slice(pathOfOperation.length)
  return inOperation.length === 0 ? reason : `${pathText(inOperation)}: ${reason}`
}

function refuseOtherKinds({ kind }: JsonObject): void {
  if (kind === 'function')
    throw new Problem('usage', 'An operation of kind "function" is measured as the function that it calls', {
      hint: 'Hand in the function itself: measure(function, { on }).',
    })
  const isOneCall = operations.some((operation) => operation.kind === kind)
  if (isOneCall || !operationKinds.some((known) => known.kind === kind)) return
  throw new Problem('usage', `An operation of kind "${String(kind)}" is not one call, and cannot be measured here`, {
    hint: 'Hand in a function that makes its calls, or run a spec.',
  })
}

function refuseWithoutCollection({ kind }: JsonObject, collections: readonly string[], name: string): void {
  const needsOne = operations.some((operation) => operation.kind === kind && operation.needsCollection)
  if (!needsOne || collections.length > 0) return
  throw new Problem('spec-invalid', `${name}: "collection" is missing`, {
    hint: 'Add it to the operation, such as collection: "orders", or hand in a Collection as "on".',
  })
}

/** The collections that an operation names: its own, those of its writes, and those that its generators read. */
function collectionsIn(operation: JsonObject): readonly string[] {
  const writes = Array.isArray(operation['operations']) ? (operation['operations'] as readonly Json[]) : []
  const models = writes.flatMap((write) => (isObject(write) ? Object.values(write) : []))
  const named = [operation, ...models].map((part) => (isObject(part) ? part['collection'] : undefined))
  const read = expressionsIn(operation).map(({ keyword, argument }) =>
    generatorKeywords.has(keyword) && isObject(argument) ? argument['of'] : undefined,
  )
  return [...new Set([...named, ...read].filter((name) => typeof name === 'string'))]
}

const generatorKeywords: ReadonlySet<string> = new Set(generators.map(({ keyword }) => keyword))

/**
 * An operation as JSON. Values of BSON, dates, regular expressions, binary data and bigints become Extended JSON.
 * @param file Names the operation in messages.
 * @throws {Problem} "spec-invalid" for what JSON does not have otherwise, such as a function.
 */
function operationJson(operation: object, file: string, ejson: typeof EJSON): JsonObject {
  const { value } = parseJson(specText(extended(operation, ejson) as SpecInput), file)
  return isObject(value) ? value : {}
}

function extended(value: unknown, ejson: typeof EJSON): unknown {
  if (Array.isArray(value)) return value.map((item) => extended(item, ejson))
  if (isBson(value)) return ejson.serialize({ value }, { relaxed: false })['value']
  if (!isPlain(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, extended(item, ejson)]))
}

/** By what a value is, not by its class: test runners have classes of their own. */
const isBson = (value: unknown): boolean =>
  typeof value === 'bigint' ||
  types.isDate(value) ||
  types.isRegExp(value) ||
  types.isUint8Array(value) ||
  (typeof value === 'object' && value !== null && '_bsontype' in value)

function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}
