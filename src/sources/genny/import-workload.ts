import { basename } from 'node:path'
import { isObject, type Json, type JsonObject, type Path } from '../../core/json.ts'
import { type Imported, type WorkloadFile } from '../../spec/ycsb/import-workload.ts'
import { distinctNames, operationName, specName } from '../init/names.ts'
import { applyCommand, readCommand } from '../workloads/commands.ts'
import { DataSets } from '../workloads/data-sets.ts'
import { Findings } from '../workloads/findings.ts'
import { parseYaml, toNumber } from '../workloads/parse-yaml.ts'
import { type Load, phaseOf } from '../workloads/phase.ts'
import { Sizes } from '../workloads/sizes.ts'
import { callNumber, dateOfRow, wholeQuotient } from '../workloads/values.ts'
import { type ActorPhase, expandWorkload, listPhases, type ReadFile } from './expand.ts'
import { type GennyContext, readGennyValue } from './generators.ts'
import { type GennyOperation, ofFailures, readMs, readOperation } from './operations.ts'

/** An actor in one phase, with what the phase takes from the actor. */
type Entry = { readonly actor: JsonObject; readonly phase: ActorPhase; readonly config: JsonObject; readonly name: string }

/** Actors that send nothing to measure. */
const silentActors = ['LoggingActor', 'NopMetrics', 'HelloWorld', 'PhaseTimingRecorder', 'StreamStatsReporter']

const actorFields = ['Name', 'Type', 'Threads', 'Database', 'Collection', 'ClientName', 'Phases', ...ofFailures]
const phaseFields = ['Name', 'Phase', 'Repeat', 'Database', 'Threads', 'Nop', 'MetricsName', 'CollectionCount']
const loadFields = ['Collection', 'Duration', 'GlobalRate', 'Blocking', 'Operation', 'Operations', ...ofFailures]
const loaderFields = ['DocumentCount', 'BatchSize', 'Document', 'Indexes', 'MultipleThreadsPerCollection']

/**
 * Makes a spec of a workload of genny: what its Loaders load is the data, and each phase in which actors send operations is a phase.
 * @param read Reads files that it names.
 * @throws {Problem} "spec-invalid" with all that cannot be imported, "spec-unreadable".
 */
export function importGenny({ file, text }: WorkloadFile, read: ReadFile): Imported {
  const findings = new Findings(file)
  const root = expandWorkload(parseYaml(text, file), file, read, findings)
  const data = new DataSets(findings)
  const sizes = new Sizes()
  const entries = listEntries(root, findings)
  const databases = new Set(entries.flatMap(({ config }) => (config['Database'] as string | undefined) ?? []))
  databases.delete('admin')
  const phases: JsonObject[] = []
  let setParameters: JsonObject = {}
  let settle = false
  let dropped: Path | undefined

  const nameOf = ({ config }: Entry, collection: Json): string =>
    databases.size > 1 ? `${String(config['Database'])}.${String(collection)}` : String(collection)

  const threadsOf = ({ actor }: Entry): number => toNumber(actor['Threads']) ?? 1

  /** Values of operations: each thread counts its own rounds, as if calls were dealt out in turn. */
  const operationContext = (entry: Entry): GennyContext => ({
    findings,
    now: { '@now': {} },
    index: () => wholeQuotient(callNumber, sizes.use('workers', threadsOf(entry))),
  })

  /** Reads a phase of an actor: what it sends, if it is not a part of the set-up. */
  const actors: Readonly<Record<string, (entry: Entry) => Load | undefined>> = {
    Loader: readLoader,
    CrudActor: (entry) => toLoad(entry, readCrud(entry)),
    RunCommand: (entry) => toLoad(entry, readCommands(entry)),
    AdminCommand: (entry) => toLoad(entry, readCommands(entry)),
    InsertRemove: (entry) => toLoad(entry, [insertRemove(collectionOf(entry))]),
    QuiesceActor() {
      settle = phases.length > 0
      return undefined
    },
  }

  function readLoader(entry: Entry): undefined {
    const { config, phase } = entry
    findings.requireFields(config, [...phaseFields, ...loaderFields, 'Collection'], phase.path)
    if (phases.length > 0) findings.refuse(phase.path, 'a Loader after the first operations')
    const copies = toNumber(config['CollectionCount']) ?? 1
    const isShared = config['MultipleThreadsPerCollection'] === true
    const collection = nameOf(entry, copies === 1 ? 'Collection0' : 'Collection')
    const context: GennyContext = {
      findings,
      now: dateOfRow,
      index: (path) =>
        isShared || copies <= threadsOf(entry)
          ? wholeQuotient({ '@row': {} }, isShared ? threadsOf(entry) / copies : 1)
          : findings.refuse(path, 'a counter that goes on from one collection to the next'),
    }
    data.use(collection, copies === 1 ? undefined : copies)
    const document = readGennyValue(config['Document'] ?? {}, [...phase.path, 'Document'], context)
    const rows = sizes.use('documents', toNumber(config['DocumentCount']) ?? 0)
    if (JSON.stringify(document).includes(JSON.stringify(dateOfRow)))
      findings.remark('^Now in documents that are loaded is a date that grows with the row, the same in every run')
    data.load(collection, { rows, document }, phase.path)
    const indexes = (config['Indexes'] as readonly JsonObject[] | undefined) ?? []
    data.addIndexes(collection, indexes.map(({ keys = {}, options = {} }) => ({ key: keys, ...(options as JsonObject) })))
    return undefined
  }

  function collectionOf(entry: Entry): Json {
    const { config, phase } = entry
    const count = toNumber(config['CollectionCount'])
    const { Collection = count === 1 ? 'Collection0' : undefined } = config
    if (Collection !== undefined) return data.use(nameOf(entry, Collection))
    if (count === undefined) return findings.refuse(phase.path, 'a phase without a collection')
    const base = data.use(nameOf(entry, 'Collection'), count)
    return { '@concat': [base, { '@mod': [{ '@worker': {} }, count] }] }
  }

  function readCrud(entry: Entry): readonly GennyOperation[] {
    const { path } = entry.phase
    const collection = collectionOf(entry)
    return operationsIn(entry).flatMap(([written, at]) => {
      const { OperationName: kind, OperationCommand: command } = written
      const { Keys: key = {}, IndexOptions = {} } = isObject(command ?? null) ? (command as JsonObject) : {}
      if (kind === 'drop' && phases.length > 0) dropped ??= path
      if (kind === 'drop' && !(typeof collection === 'string' && phases.length === 0 && data.isLoaded(collection))) return []
      if (kind === 'createIndex' && phases.length === 0 && typeof collection === 'string') {
        data.addIndexes(collection, [{ key, ...(IndexOptions as JsonObject) }])
        return []
      }
      const read = readOperation(written, at, operationContext(entry))
      return read === undefined ? [] : [{ ...read, operation: withCollection(read.operation, collection) }]
    })
  }

  function readCommands(entry: Entry): readonly GennyOperation[] {
    return operationsIn(entry).flatMap(([written, at]) => {
      findings.requireFields(written, ['OperationName', 'OperationCommand', 'OperationMetricsName', ...ofFailures], at)
      const command = readGennyValue(written['OperationCommand'] ?? {}, [...at, 'OperationCommand'], operationContext(entry))
      const { setParameter, ...parameters } = isObject(command) ? command : {}
      const [[name = '', target = null] = []] = Object.entries(isObject(command) ? command : {})
      const named = { ...(command as JsonObject), [name]: typeof target === 'string' ? nameOf(entry, target) : target }
      if (phases.length === 0 && setParameter !== undefined) {
        setParameters = { ...setParameters, ...parameters }
        return []
      }
      if (phases.length === 0 && applyCommand(named, data)) return []
      const operation = readCommand(named, at, findings)
      if (operation === undefined) return []
      if (typeof operation['collection'] === 'string') data.use(operation['collection'])
      const { OperationMetricsName: own } = written
      return [{ operation: own === undefined ? operation : { ...operation, name: operationName(String(own)) }, concerns: {} }]
    })
  }

  /** The load of an actor: each round of a thread is one operation, of steps where it has several. */
  function toLoad(entry: Entry, read: readonly GennyOperation[]): Load | undefined {
    const { config, phase } = entry
    findings.requireFields(config, [...phaseFields, ...loadFields], phase.path)
    if (read.length === 0) return undefined
    if (dropped) findings.refuse(dropped, 'a drop between operations')
    const threads = threadsOf(entry)
    const [repeat, ms] = [toNumber(config['Repeat']), readMs(config['Duration'])]
    if (config['Repeat'] !== undefined && ms !== undefined) findings.refuse(phase.path, '"Repeat" beside "Duration"')
    const concerns = mergeConcerns(read, (name) => findings.refuse(phase.path, `a ${name} that differs within a phase`))
    const operations = read.map(({ operation }) => operation)
    const distinct = distinctNames()
    const steps = operations.map((step) => ({ ...step, name: distinct(String(step['name'] ?? step['kind'])) }))
    return {
      name: entry.name,
      workers: sizes.use('workers', threads),
      ratePerSecond: rateOf(entry),
      operations: steps.length > 1 ? [{ kind: 'steps', name: 'round', steps }] : operations,
      ...(repeat !== undefined && { calls: sizes.use('operations', repeat * threads) }),
      ...(ms !== undefined && { seconds: { value: ms / 1000, json: sizes.use('seconds', ms / 1000) } }),
      concerns,
    }
  }

  function rateOf({ config, phase }: Entry): number | undefined {
    const { GlobalRate: written } = config
    if (written === undefined) return undefined
    const [, count, time] = /^(\d+) +per +(.+)$/.exec(String(written)) ?? []
    const ms = readMs(/^\d/.test(time ?? '') ? time : `1 ${time}`)
    if (ms === undefined) return findings.refuse(phase.path, `the rate ${String(written)}`) ?? undefined
    if (Number(count) > 1) findings.remark('rates are even, where genny sends all calls of a period at its beginning')
    return (Number(count) * 1000) / ms
  }

  for (const number of [...new Set(entries.map(({ phase }) => phase.number))].toSorted((a, b) => a - b)) {
    const active = entries.filter(({ phase }) => phase.number === number)
    const loads = active.flatMap((entry) => {
      const actor = actors[String(entry.actor['Type'])]
      if (!actor) findings.refuse(entry.phase.path, `the actor ${String(entry.actor['Type'])}`)
      return actor?.(entry) ?? []
    })
    if (loads.length === 0) continue
    const [{ phase }] = active as readonly [Entry, ...Entry[]]
    const isAlone = loads.length === 1
    if (!isAlone && loads.some(({ calls }) => calls !== undefined))
      findings.refuse(phase.path, `"Repeat" in phase ${number}, where several actors send operations,`)
    if (loads.every(({ calls, seconds }) => calls === undefined && seconds === undefined))
      findings.refuse(phase.path, 'a phase without an end')
    phases.push(phaseOf(`phase${number}`, loads, settle ? { settle: true } : {}))
    settle = false
  }
  if (dropped) findings.remark('collections are not dropped at the end: a server that is started for the run is gone then')
  if (phases.length === 0) findings.refuse(['Actors'], 'a workload without an operation')
  findings.throwIfRefused()
  const title = basename(file).replace(/\.ya?ml$/, '')
  const spec = {
    name: specName(title),
    title,
    description: `The workload ${title} of genny, imported by \`mongo-perf import genny\`.`,
    ...(Object.keys(setParameters).length > 0 && { target: { kind: 'standalone', server: { setParameters } } }),
    ...sizes.json(),
    data: data.json(),
    phases,
  }
  return { spec, remarks: findings.remarks }
}

/** Lists the phases of all actors, each with a name of its own. */
function listEntries({ Actors: actors = [] }: JsonObject, findings: Findings): readonly Entry[] {
  const distinct = distinctNames()
  return (actors as readonly Json[]).filter(isObject).flatMap((actor, i) => {
    if (silentActors.includes(String(actor['Type']))) return []
    findings.requireFields(actor, actorFields, ['Actors', i])
    const { Database, Collection } = actor
    const inherited = { ...(Database !== undefined && { Database }), ...(Collection !== undefined && { Collection }) }
    const named = operationName(String(actor['Name'] ?? actor['Type']))
    return listPhases(actor, ['Actors', i]).map((phase) => ({
      actor,
      phase,
      config: { ...inherited, ...phase.config },
      name: ['CrudActor', 'RunCommand', 'AdminCommand', 'InsertRemove'].includes(String(actor['Type'])) ? distinct(named) : named,
    }))
  })
}

/** The operations of a phase, with their places. */
function operationsIn({ config, phase }: Entry): readonly (readonly [JsonObject, Path])[] {
  const { Operation, Operations = Operation } = config
  const list = Array.isArray(Operations) ? (Operations as readonly Json[]) : [Operations ?? null]
  return list.flatMap((one, i) => (isObject(one) ? [[one, [...phase.path, 'Operations', i]] as const] : []))
}

/** In front of the values, where a reader looks for it. */
function withCollection({ kind = '', name, ...operation }: JsonObject, collection: Json): JsonObject {
  return { kind, ...(name !== undefined && { name }), collection, ...operation }
}

/** Inserts a document and removes it, as the actor InsertRemove does. */
function insertRemove(collection: Json): GennyOperation {
  const id = { _id: { '@var': 'id' } }
  const steps = [
    { kind: 'insertOne', name: 'insert', collection, document: id },
    { kind: 'deleteOne', name: 'remove', collection, filter: id },
  ]
  return { operation: { kind: 'steps', name: 'insertRemove', let: { id: { '@nextRow': { of: collection } } }, steps }, concerns: {} }
}

/** The concerns that all operations of a load have, or leave open. */
function mergeConcerns(operations: readonly GennyOperation[], refuse: (name: string) => void): JsonObject {
  const merged: { [name: string]: Json } = {}
  for (const [name, concern] of operations.flatMap(({ concerns }) => Object.entries(concerns))) {
    if (merged[name] !== undefined && JSON.stringify(merged[name]) !== JSON.stringify(concern)) refuse(name)
    merged[name] = concern
  }
  return merged
}
