import { basename } from 'node:path'
import { isObject, type Json, type JsonObject, type Path } from '../../core/json.ts'
import { type Imported, type WorkloadFile } from '../../spec/ycsb/import-workload.ts'
import { collectionNameFor, distinctNames, operationName, specName } from '../init/names.ts'
import { DataSets } from '../workloads/data-sets.ts'
import { Findings } from '../workloads/findings.ts'
import { parseYaml, toNumber } from '../workloads/parse-yaml.ts'
import { type Load, phaseOf } from '../workloads/phase.ts'
import { Sizes } from '../workloads/sizes.ts'
import { dateOfRow } from '../workloads/values.ts'
import { readSimRunnerValue, type SimRunnerContext } from './generators.ts'

const templateFields = 'name database collection drop template remember indexes variables dictionaries createOptions'
const workloadFields =
  'name template op params threads pace batch variables readPreference readConcern writeConcern stopAfter'
const comments = ['comment', 'comments']

/** Documents that are loaded of each template, and how long the workloads run, where SimRunner runs until it is stopped. */
const defaults = { documents: 10_000, seconds: 60 }

const listIn = (json: Json | undefined): readonly JsonObject[] =>
  Array.isArray(json) ? (json as readonly Json[]).filter(isObject) : []
const objectIn = (json: Json | undefined): JsonObject => (isObject(json ?? null) ? (json as JsonObject) : {})

/**
 * Makes a spec of a configuration of SimRunner: its templates are the data, and its workloads loads beside each other.
 * @throws {Problem} "spec-invalid" with all that cannot be imported, "spec-unreadable".
 */
export function importSimRunner({ file, text }: WorkloadFile): Imported {
  const findings = new Findings(file)
  const data = new DataSets(findings)
  const sizes = new Sizes()
  const distinct = distinctNames()
  const config = objectIn(parseYaml(text, file))
  const templates = new Map(listIn(config['templates']).map((template) => [template['name'] ?? null, template]))
  const collectionOf = ({ collection }: JsonObject): string => collectionNameFor(String(collection))

  for (const [i, template] of listIn(config['templates']).entries()) loadTemplate(template, ['templates', i])
  const loads = listIn(config['workloads']).flatMap((workload, i) => readWorkload(workload, ['workloads', i]) ?? [])
  if (loads.length === 0) findings.refuse(['workloads'], 'a configuration without workloads')
  findings.remark(`${defaults.documents} documents of each template are loaded first; SimRunner begins with what is there`)
  findings.throwIfRefused()
  const title = basename(file).replace(/\.json$/, '')
  const spec = {
    name: specName(title),
    title,
    description: `The workloads ${title} of SimRunner, imported by \`mongo-perf import simrunner\`.`,
    ...sizes.json(),
    data: data.json(),
    phases: [phaseOf('workloads', loads)],
  }
  return { spec, remarks: findings.remarks }

  /** What "#name" is of a template: a variable, a dictionary, or in workloads the field of a document. */
  function contextOf(template: JsonObject, variables: JsonObject, own: Partial<SimRunnerContext>): SimRunnerContext {
    const dictionaries = objectIn(template['dictionaries'])
    return {
      findings,
      now: { '@now': {} },
      sequence: undefined,
      ...own,
      reference(name) {
        const [first = ''] = name.split('.')
        if (variables[first] !== undefined) return { '@var': name }
        return own.reference?.(name) ?? (Array.isArray(dictionaries[name]) ? { '@choice': { values: dictionaries[name] } } : undefined)
      },
    }
  }

  function readVariables(variables: JsonObject, path: Path, context: SimRunnerContext): JsonObject {
    const read = Object.entries(variables).map(([name, value]) => [name, readSimRunnerValue(value, [...path, name], context)])
    return read.length === 0 ? {} : { let: Object.fromEntries(read) as JsonObject }
  }

  function loadTemplate(template: JsonObject, path: Path): void {
    findings.requireFields(template, [...templateFields.split(' '), ...comments], path)
    const collection = data.use(collectionOf(template))
    const variables = objectIn(template['variables'])
    const context = contextOf(template, variables, { now: dateOfRow, sequence: { '@row': {} } })
    const document = readSimRunnerValue(objectIn(template['template']), [...path, 'template'], context)
    const lets = readVariables(variables, [...path, 'variables'], contextOf(template, {}, context))
    data.load(collection, { rows: sizes.use('documents', defaults.documents), ...lets, document }, path)
    data.setOptions(collection, objectIn(template['createOptions']))
    data.addIndexes(collection, listIn(template['indexes']).map((index) => (isObject(index['key'] ?? null) ? { key: index['key'] ?? {}, ...objectIn(index['options']) } : { key: index })))
  }

  function readWorkload(workload: JsonObject, path: Path): Load | undefined {
    findings.requireFields(workload, [...workloadFields.split(' '), ...comments], path)
    const template = templates.get(workload['template'] ?? null)
    if (!template) return void findings.refuse(path, `the template "${String(workload['template'])}", which is not here,`)
    const collection = collectionOf(template)
    const remembered = new Map(rememberedFields(template))
    const variables = objectIn(workload['variables'])
    const context = contextOf(template, variables, {
      reference: (name) => {
        const field = remembered.get(name)
        return field === undefined ? undefined : { '@ref': { collection, ...(field !== '_id' && { field }) } }
      },
    })
    const operation = readOperation(workload, collection, path, context)
    if (operation === undefined) return undefined
    const threads = toNumber(workload['threads']) ?? 1
    const [pace, stopAfter] = [toNumber(workload['pace']) ?? 0, toNumber(workload['stopAfter'])]
    const isAlone = listIn(config['workloads']).length === 1
    if (stopAfter !== undefined && !isAlone) findings.refuse([...path, 'stopAfter'], '"stopAfter" beside other workloads')
    const { kind = '', ...others } = operation
    const lets = readVariables(variables, [...path, 'variables'], contextOf(template, {}, context))
    return {
      name: distinct(operationName(String(workload['name'] ?? workload['op']))),
      workers: sizes.use('workers', threads),
      ratePerSecond: pace > 0 ? (threads * 1000) / pace : undefined,
      operations: [{ kind, collection, ...lets, ...others }],
      ...(stopAfter === undefined
        ? { seconds: { value: defaults.seconds, json: sizes.use('seconds', defaults.seconds) } }
        : { calls: sizes.use('operations', stopAfter * threads) }),
      concerns: readConcerns(workload),
    }
  }

  /** Operations by their names, from what their `params` are in a spec. */
  function readOperation({ op, params, batch }: JsonObject, collection: string, path: Path, context: SimRunnerContext): JsonObject | undefined {
    const given = objectIn(params)
    const read = (fields: readonly string[]): JsonObject => {
      findings.requireFields(given, [...fields, ...comments], [...path, 'params'])
      const present = fields.filter((field) => given[field] !== undefined)
      return Object.fromEntries(present.map((field) => [field === 'project' ? 'projection' : field, readSimRunnerValue(given[field] ?? null, [...path, 'params', field], context)]))
    }
    const size = toNumber(batch) ?? 0
    const update = ['filter', 'update', 'upsert']
    switch (op) {
      case 'insert':
        return size > 0 ? { kind: 'insertMany', documentsPerCall: size } : { kind: 'insertOne' }
      case 'find':
        return { kind: 'find', filter: {}, ...read(['filter', 'sort', 'project', 'limit', 'skip']) }
      case 'aggregate':
        return { kind: op, ...read(['pipeline']) }
      case 'updateOne':
        return size > 0 ? { kind: 'bulkWrite', operations: [{ updateOne: read(update) }], operationsPerCall: size } : { kind: op, ...read(update) }
      case 'updateMany':
        return { kind: op, ...read(update) }
      case 'deleteOne':
      case 'deleteMany':
        return { kind: op, ...read(['filter']) }
      case 'replaceOne': {
        const { update: replacement = {}, ...others } = read(update)
        return { kind: op, ...others, replacement }
      }
      case 'replaceWithNew':
        return { kind: 'replaceOne', ...read(['filter', 'upsert']), replacement: { '@document': { of: collection, row: { '@nextRow': { of: collection } }, project: { _id: 0 } } } }
      default:
        return void findings.refuse(path, `the operation ${String(op)}`)
    }
  }
}

/** Fields whose values workloads use, by the names that they have there. */
const rememberedFields = ({ remember = [] }: JsonObject): readonly (readonly [string, string])[] =>
  (remember as readonly Json[]).flatMap((entry) => {
    const { field, name, compound } = isObject(entry) ? entry : { field: entry }
    return compound === undefined ? [[String(name ?? String(field).replaceAll('.', '_')), String(field)] as const] : []
  })

function readConcerns({ readPreference: mode, readConcern: level, writeConcern }: JsonObject): JsonObject {
  const [, members] = /^w(\d+)$/.exec(String(writeConcern)) ?? []
  return {
    ...(writeConcern !== undefined && { writeConcern: { w: members === undefined ? writeConcern : Number(members) } }),
    ...(mode !== undefined && { readPreference: { mode } }),
    ...(level !== undefined && { readConcern: { level } }),
  }
}
