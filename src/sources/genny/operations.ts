import { type Json, type JsonObject, type Path } from '../../core/json.ts'
import { operationName } from '../init/names.ts'
import { listIn, objectIn, parseYaml, toNumber } from '../workloads/parse-yaml.ts'
import { type GennyContext, readGennyValue } from './generators.ts'

const update = ['Filter', 'Update']
const replacement = ['Filter', 'Replacement']

/** Operations of CrudActor with their fields. A spec has both under the same names, fields with a small letter. */
const operations: Readonly<Record<string, readonly string[]>> = {
  find: ['Filter'],
  findOne: ['Filter'],
  countDocuments: ['Filter'],
  estimatedDocumentCount: [],
  aggregate: ['Pipeline'],
  insertOne: ['Document'],
  insertMany: ['Documents'],
  updateOne: update,
  updateMany: update,
  replaceOne: replacement,
  deleteOne: ['Filter'],
  deleteMany: ['Filter'],
  findOneAndUpdate: update,
  findOneAndReplace: replacement,
  findOneAndDelete: ['Filter'],
  bulkWrite: ['WriteOperations'],
}

/** Options of operations, which a spec has under the same names with a small letter. */
const options =
  'AllowDiskUse BatchSize BypassDocumentValidation Comment Hint Limit MaxTime Ordered Projection Skip Sort Upsert'.split(
    ' ',
  )

const renamed: Readonly<Record<string, string>> = { WriteOperations: 'operations', MaxTime: 'maxTimeMS' }
const nameInSpec = (name: string): string => renamed[name] ?? name.slice(0, 1).toLowerCase() + name.slice(1)

/** They say how genny counts failures, which a result has by their codes. */
export const ofFailures = ['ThrowOnFailure', 'RecordFailure', 'ReportMetrics', 'OperationIsQuiet']

/** Fields of an operation of an actor. */
export const operationFields = ['OperationName', 'OperationCommand', 'OperationMetricsName', ...ofFailures]

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
  context.findings.requireFields(written, operationFields, path)
  const read = readCommand(String(kind), objectIn(command), [...path, 'OperationCommand'], context)
  if (read === undefined) return undefined
  const { documents } = read.operation
  const named = name === undefined ? {} : { name: operationName(String(name)) }
  const count = documents === undefined ? {} : { documentsPerCall: listIn(documents).length }
  return { operation: { kind: String(kind), ...named, ...read.operation, ...count }, concerns: read.concerns }
}

function readCommand(kind: string, command: JsonObject, path: Path, context: GennyContext): GennyOperation | undefined {
  const { findings } = context
  const fields = Object.hasOwn(operations, kind) ? operations[kind] : undefined
  if (!fields) return void findings.refuse(path, `the operation ${kind}`)
  const { Options, OperationOptions = Options, ...values } = command
  const { WriteConcern, ReadPreference, ...others } = objectIn(OperationOptions)
  findings.requireFields(values, [...fields, 'WriteCommand', 'OnSession', ...ofFailures], path)
  findings.requireFields(others, options, [...path, 'Options'])
  const read = fields.flatMap((name) => {
    const value = values[name]
    return value === undefined ? [] : [[nameInSpec(name), readField(name, value, [...path, name], context)] as const]
  })
  const plain = Object.entries(others).map(([name, option]) => [nameInSpec(name), plainOption(option)] as const)
  const concerns = { ...toWriteConcern(objectIn(WriteConcern)), ...toReadPreference(objectIn(ReadPreference)) }
  return { operation: Object.fromEntries([...read, ...plain]), concerns }
}

function readField(name: string, json: Json, path: Path, context: GennyContext): Json {
  if (name !== 'WriteOperations') return readGennyValue(json, path, context)
  return listIn(json).map((item, i) => {
    const kind = String(objectIn(item)['WriteCommand'])
    return { [kind]: readCommand(kind, objectIn(item), [...path, i], context)?.operation ?? null }
  })
}

/** Options are plain: times in milliseconds, and documents that are written as JSON in a text. */
function plainOption(json: Json): Json {
  if (typeof json === 'string') return json.startsWith('{') ? parseYaml(json, json) : (readMs(json) ?? json)
  return typeof json === 'object' ? (toNumber(json) ?? json) : json
}

function toWriteConcern({ Level: w, Journal: j, TimeoutMillis, Timeout }: JsonObject): JsonObject {
  const wtimeoutMS = toNumber(TimeoutMillis) ?? readMs(Timeout)
  if (w === undefined) return {}
  return { writeConcern: { w, ...(j !== undefined && { j }), ...(wtimeoutMS !== undefined && { wtimeoutMS }) } }
}

const toReadPreference = ({ ReadMode: mode }: JsonObject): JsonObject =>
  mode === undefined ? {} : { readPreference: { mode } }
