import { type Json, type JsonObject, type Path } from '../../core/json.ts'
import { type Imported, type WorkloadFile } from '../../spec/ycsb/import-workload.ts'
import { collectionNameFor, distinctNames, operationName } from '../init/names.ts'
import { listIn, objectIn, toNumber } from '../workloads/parse-yaml.ts'
import { type Load, createPhase } from '../workloads/phase.ts'
import { SpecDraft } from '../workloads/spec-draft.ts'
import { dateOfRow } from '../workloads/values.ts'
import { readSimRunnerValue, type SimRunnerContext } from './generators.ts'

const templateFields =
  'name database collection drop template remember indexes variables dictionaries createOptions comment comments'
const workloadFields =
  'name template op params threads pace batch variables readPreference readConcern writeConcern stopAfter comment comments'

/** Documents that are loaded of each template. */
const documentCount = 10_000

/** For how long workloads run; SimRunner runs until it is stopped. */
const seconds = 60

/** Operations by their names, with their `params`; those that a spec has under another name, too. */
const operations: Readonly<Record<string, { readonly params: readonly string[]; readonly kind?: string }>> = {
  insert: { params: [] },
  find: { params: ['filter', 'sort', 'project', 'limit', 'skip'] },
  aggregate: { params: ['pipeline'] },
  updateOne: { params: ['filter', 'update', 'upsert'] },
  updateMany: { params: ['filter', 'update', 'upsert'] },
  replaceOne: { params: ['filter', 'update', 'upsert'], kind: 'replaceOne' },
  replaceWithNew: { params: ['filter', 'upsert'], kind: 'replaceOne' },
  deleteOne: { params: ['filter'] },
  deleteMany: { params: ['filter'] },
}

const nameCollection = ({ collection }: JsonObject): string => collectionNameFor(String(collection))

/**
 * Makes a spec of a configuration of SimRunner: its templates are the data, and its workloads loads beside each other.
 * @throws {Problem} "spec-invalid" with all that cannot be imported, "spec-unreadable".
 */
export function importSimRunner(file: WorkloadFile): Imported {
  const draft = new SpecDraft('SimRunner', file)
  const { findings, data, sizes, phases } = draft
  const distinct = distinctNames()
  const { templates: listed, workloads } = objectIn(draft.root)
  const templates = listIn(listed).map(objectIn)
  templates.forEach((template, i) => loadTemplate(template, ['templates', i]))
  const loads = listIn(workloads).flatMap((workload, i) => readWorkload(objectIn(workload), ['workloads', i]) ?? [])
  if (loads.length > 0) phases.push(createPhase('workloads', loads))
  findings.remark(`${documentCount} documents of each template are loaded first; SimRunner begins with what is there`)
  return draft.finish()

  function loadTemplate(template: JsonObject, path: Path): void {
    findings.requireFields(template, templateFields.split(' '), path)
    const collection = data.use(nameCollection(template))
    const own = { findings, now: dateOfRow, sequence: { '@row': {} }, reference: readDictionaries(template) }
    const { context, lets } = withVariables(own, template, path)
    const document = readSimRunnerValue(objectIn(template['template']), [...path, 'template'], context)
    data.load(collection, { rows: sizes.use('documents', documentCount), ...lets, document }, path)
    data.setOptions(collection, objectIn(template['createOptions']))
    const indexes = listIn(template['indexes']).map((index) => {
      const { key = index, options } = objectIn(index)
      return Object.assign({ key }, objectIn(options))
    })
    data.addIndexes(collection, indexes)
  }

  function readWorkload(workload: JsonObject, path: Path): Load | undefined {
    findings.requireFields(workload, workloadFields.split(' '), path)
    const { name, template: of = null, op = null, stopAfter } = workload
    const template = templates.find((one) => one['name'] === of)
    if (!template) return void findings.refuse(path, `the template "${String(of)}", which is not here,`)
    const collection = nameCollection(template)
    const remembered = new Map(rememberedFields(template))
    const dictionary = readDictionaries(template)
    const reference = (one: string): Json | undefined => {
      const field = remembered.get(one)
      return field === undefined ? dictionary(one) : { '@ref': { collection, ...(field !== '_id' && { field }) } }
    }
    const own = { findings, now: { '@now': {} }, sequence: undefined, reference }
    const { context, lets } = withVariables(own, workload, path)
    const { kind = '', ...parts } = readOperation(workload, collection, path, context)
    const [threads, pace] = [toNumber(workload['threads']) ?? 1, toNumber(workload['pace']) ?? 0]
    const calls = toNumber(stopAfter)
    if (calls !== undefined && listIn(workloads).length > 1) findings.refuse(path, '"stopAfter" beside other workloads')
    return {
      name: distinct(operationName(String(name ?? op))),
      workers: sizes.use('workers', threads),
      ratePerSecond: pace > 0 ? (threads * 1000) / pace : undefined,
      operations: [{ kind, collection, ...lets, ...parts }],
      calls: calls === undefined ? undefined : sizes.use('operations', calls * threads),
      seconds: calls === undefined ? { value: seconds, json: sizes.use('seconds', seconds) } : undefined,
      concerns: readConcerns(workload),
    }
  }

  function readOperation(workload: JsonObject, collection: string, path: Path, context: SimRunnerContext): JsonObject {
    const { op = null, params, batch } = workload
    const known = Object.hasOwn(operations, String(op)) ? operations[String(op)] : undefined
    if (!known) return { kind: findings.refuse(path, `the operation ${String(op)}`) }
    findings.requireFields(objectIn(params), [...known.params, 'comment'], [...path, 'params'])
    const read = objectIn(readSimRunnerValue(objectIn(params), [...path, 'params'], context))
    const { comment: _, project: projection, ...fields } = read
    const { update, ...others } = fields
    const size = toNumber(batch) ?? 0
    const newRow = { '@document': { of: collection, row: { '@nextRow': { of: collection } }, project: { _id: 0 } } }
    if (op === 'insert') return size > 0 ? { kind: 'insertMany', documentsPerCall: size } : { kind: 'insertOne' }
    if (op === 'updateOne' && size > 0)
      return { kind: 'bulkWrite', operations: [{ updateOne: fields }], operationsPerCall: size }
    if (known.kind === 'replaceOne') return { kind: known.kind, ...others, replacement: update ?? newRow }
    return { kind: String(op), ...fields, ...(projection !== undefined && { projection }) }
  }
}

/** Adds the variables of a template or a workload, which come before all else of the same name. */
function withVariables(context: SimRunnerContext, { variables = {} }: JsonObject, path: Path) {
  const drawn = objectIn(readSimRunnerValue(variables, [...path, 'variables'], context))
  const reference = (name: string): Json | undefined =>
    Object.hasOwn(drawn, name.split('.')[0] ?? '') ? { '@var': name } : context.reference(name)
  const lets: JsonObject = Object.keys(drawn).length === 0 ? {} : { let: drawn }
  return { context: { ...context, reference }, lets }
}

/** Dictionaries that are lists, by their names. */
const readDictionaries =
  ({ dictionaries }: JsonObject) =>
  (name: string): Json | undefined => {
    const values = objectIn(dictionaries)[name]
    return Array.isArray(values) ? { '@choice': { values: values as readonly Json[] } } : undefined
  }

/** Fields whose values workloads use, by the names that they have there. */
const rememberedFields = ({ remember }: JsonObject): readonly (readonly [string, string])[] =>
  listIn(remember).flatMap((entry) => {
    const { field = null, name, compound } = typeof entry === 'string' ? { field: entry } : objectIn(entry)
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
