import { isObject, type Json, type JsonObject, type Path } from '../../core/json.ts'
import { operationName } from '../init/names.ts'
import { parseYaml, toNumber } from '../workloads/parse-yaml.ts'
import { type GennyContext, readGennyValue } from './generators.ts'

const filter = { Filter: 'filter' }
const update = { ...filter, Update: 'update' }
const replacement = { ...filter, Replacement: 'replacement' }

/** Operations of CrudActor by their names, which are those of a spec, and what their fields are there. */
const operations: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  find: filter,
  findOne: filter,
  countDocuments: filter,
  estimatedDocumentCount: {},
  aggregate: { Pipeline: 'pipeline' },
  insertOne: { Document: 'document' },
  insertMany: { Documents: 'documents' },
  updateOne: update,
  updateMany: update,
  replaceOne: replacement,
  deleteOne: filter,
  deleteMany: filter,
  findOneAndUpdate: update,
  findOneAndReplace: replacement,
  findOneAndDelete: filter,
  bulkWrite: { WriteOperations: 'operations' },
}

/** Options of operations, and what they are in a spec. */
const options: Readonly<Record<string, string>> = {
  AllowDiskUse: 'allowDiskUse',
  BatchSize: 'batchSize',
  BypassDocumentValidation: 'bypassDocumentValidation',
  Comment: 'comment',
  Hint: 'hint',
  Limit: 'limit',
  MaxTime: 'maxTimeMS',
  Ordered: 'ordered',
  Projection: 'projection',
  Skip: 'skip',
  Sort: 'sort',
  Upsert: 'upsert',
}

const msPerUnit: Readonly<Record<string, number>> = {
  nanosecond: 1e-6,
  microsecond: 1e-3,
  millisecond: 1,
  second: 1000,
  minute: 60_000,
  hour: 3_600_000,
}

/** Milliseconds of a time such as "5 minutes". Undefined: it is none. */
export function readMs(json: Json | undefined): number | undefined {
  const [, count, unit = ''] = /^([\d.]+) +([a-z]+?)s?$/.exec(String(json)) ?? []
  const ms = msPerUnit[unit]
  return ms === undefined ? undefined : Number(count) * ms
}

/** An operation, and the concerns that it asks for. */
export type GennyOperation = { readonly operation: JsonObject; readonly concerns: JsonObject }

/** Reads an operation of CrudActor. Undefined: it was refused. */
export function readOperation(written: JsonObject, path: Path, context: GennyContext): GennyOperation | undefined {
  const { OperationName: kind, OperationCommand: command, OperationMetricsName: name } = written
  const fields = Object.hasOwn(operations, String(kind)) ? operations[String(kind)] : undefined
  if (!fields) {
    context.findings.refuse(path, `the operation ${String(kind)}`)
    return undefined
  }
  context.findings.requireFields(written, ['OperationName', 'OperationCommand', 'OperationMetricsName', ...ofFailures], path)
  const { concerns, ...parts } = readCommand(isObject(command ?? null) ? (command as JsonObject) : {}, fields, [...path, 'OperationCommand'], context)
  const documents = parts['documents']
  const count = Array.isArray(documents) ? { documentsPerCall: documents.length } : {}
  const named = name === undefined ? {} : { name: operationName(String(name)) }
  return { operation: { kind: String(kind), ...named, ...parts, ...count }, concerns: concerns as JsonObject }
}

/** They say how genny counts failures, which a result has by their codes. */
export const ofFailures = ['ThrowOnFailure', 'RecordFailure', 'ReportMetrics', 'OperationIsQuiet']

function readCommand(
  command: JsonObject,
  fields: Readonly<Record<string, string>>,
  path: Path,
  context: GennyContext,
): JsonObject {
  const { Options, OperationOptions = Options, ...values } = command
  const given = isObject(OperationOptions ?? null) ? (OperationOptions as JsonObject) : {}
  const { WriteConcern, ReadPreference, ...others } = given
  context.findings.requireFields(values, [...Object.keys(fields), 'OnSession', ...ofFailures], path)
  context.findings.requireFields(others, Object.keys(options), [...path, 'Options'])
  const read = Object.entries(fields).flatMap(([name, field]) =>
    values[name] === undefined ? [] : [[field, readField(name, values[name], [...path, name], context)] as const],
  )
  const plain = Object.entries(others).flatMap(([name, option]) =>
    options[name] === undefined ? [] : [[options[name], plainOption(option)] as const],
  )
  const concerns = { ...writeConcernOf(WriteConcern), ...readPreferenceOf(ReadPreference) }
  return { ...Object.fromEntries([...read, ...plain]), concerns }
}

function readField(name: string, json: Json, path: Path, context: GennyContext): Json {
  if (name !== 'WriteOperations') return readGennyValue(json, path, context)
  return (Array.isArray(json) ? (json as readonly JsonObject[]) : []).map((model, i) => {
    const { WriteCommand, ...command } = model
    const at = [...path, i]
    const fields = operations[String(WriteCommand)] ?? {}
    const { concerns: _, ...parts } = readCommand(command, fields, at, context)
    return { [String(WriteCommand)]: parts }
  })
}

/** Options are plain: times in milliseconds, and documents that are written as JSON in a text. */
function plainOption(json: Json): Json {
  if (typeof json === 'string') return json.startsWith('{') ? parseYaml(json, json) : (readMs(json) ?? json)
  return isObject(json) ? (toNumber(json) ?? json) : json
}

function writeConcernOf(json: Json | undefined): JsonObject {
  if (!isObject(json ?? null)) return {}
  const { Level: w = 1, Journal: j, TimeoutMillis, Timeout } = json as JsonObject
  const wtimeoutMS = toNumber(TimeoutMillis) ?? readMs(Timeout)
  return { writeConcern: { w, ...(j !== undefined && { j }), ...(wtimeoutMS !== undefined && { wtimeoutMS }) } }
}

const readPreferenceOf = (json: Json | undefined): JsonObject =>
  isObject(json ?? null) ? { readPreference: { mode: (json as JsonObject)['ReadMode'] ?? 'primary' } } : {}
