import { type Json, type JsonObject, type Path } from '../../core/json.ts'
import { type Imported, type WorkloadFile } from '../../spec/ycsb/import-workload.ts'
import { distinctNames, operationName } from '../init/names.ts'
import { applyCommand, readCommand } from '../workloads/commands.ts'
import { listIn, objectIn, toNumber } from '../workloads/parse-yaml.ts'
import { type Load, createPhase } from '../workloads/phase.ts'
import { notDropped, SpecDraft } from '../workloads/spec-draft.ts'
import { callNumber, dateOfRow, wholeQuotient } from '../workloads/values.ts'
import { type Entry, listEntries } from './entries.ts'
import { expandWorkload, type ReadFile } from './expand.ts'
import { type GennyContext, readGennyValue } from './generators.ts'
import { type GennyOperation, ofFailures, operationFields, readMs, readOperation } from './operations.ts'

const phaseFields = 'Name Phase Repeat Database Threads Nop MetricsName Collection CollectionCount'.split(' ')
const loadFields = [...phaseFields, 'Duration', 'GlobalRate', 'Blocking', 'Operation', 'Operations', ...ofFailures]
const loaderFields = phaseFields.concat(
  'DocumentCount BatchSize Document Indexes MultipleThreadsPerCollection'.split(' '),
)

/**
 * Makes a spec of a workload of genny: what its Loaders load is the data, and each phase in which actors send operations is a phase.
 * @param read Reads files that it names.
 * @throws {Problem} "spec-invalid" with all that cannot be imported, "spec-unreadable".
 */
export function importGenny(file: WorkloadFile, read: ReadFile): Imported {
  const draft = new SpecDraft('genny', file)
  const { findings, data, sizes, phases } = draft
  const entries = listEntries(expandWorkload(draft.root, file.file, read, findings), findings)
  const databases = new Set(entries.flatMap(({ config }) => config['Database'] ?? []))
  databases.delete('admin')
  let setParameters: JsonObject = {}
  let settle = false
  let dropped: Path | undefined

  /** The name of a collection, which has the database in it where there are several. */
  const nameCollection = ({ config }: Entry, collection: Json): string =>
    (databases.size > 1 ? [config['Database'] ?? '', collection] : [collection]).join('.')

  /** Each thread counts its own rounds, as if calls were dealt out in turn. */
  const operationContext = ({ threads }: Entry): GennyContext => ({
    findings,
    now: { '@now': {} },
    index: () => wholeQuotient(callNumber, sizes.use('workers', threads)),
  })

  /** Reads a phase of an actor: what it sends, if it is not a part of the set-up. */
  const actors: Readonly<Record<string, (entry: Entry) => Load | undefined>> = {
    Loader: (entry) => void load(entry),
    CrudActor: (entry) => toLoad(entry, readCrud(entry, chooseCollection(entry))),
    RunCommand: (entry) => toLoad(entry, readCommands(entry)),
    AdminCommand: (entry) => toLoad(entry, readCommands(entry)),
    InsertRemove(entry) {
      findings.remark('InsertRemove inserts a new _id in each round, and not the number of its actor again')
      return toLoad(entry, [insertRemove(chooseCollection(entry))])
    },
    QuiesceActor: () => void (settle = phases.length > 0),
  }

  function load(entry: Entry): void {
    const { config, threads, path } = entry
    findings.requireFields(config, loaderFields, path)
    if (phases.length > 0) findings.refuse(path, 'a Loader after the first operations')
    const copies = toNumber(config['CollectionCount']) ?? 1
    const isShared = config['MultipleThreadsPerCollection'] === true
    const collection = data.use(
      nameCollection(entry, copies === 1 ? 'Collection0' : 'Collection'),
      copies === 1 ? undefined : copies,
    )
    const counter = (at: Path): Json =>
      isShared || copies <= threads
        ? wholeQuotient({ '@row': {} }, isShared ? threads / copies : 1)
        : findings.refuse(at, 'a counter that goes on from one collection to the next')
    const context = { findings, now: dateOfRow, index: counter }
    const document = readGennyValue(config['Document'] ?? {}, [...path, 'Document'], context)
    if (JSON.stringify(document).includes(JSON.stringify(dateOfRow)))
      findings.remark('^Now in documents that are loaded is a date that grows with the row, the same in every run')
    data.load(collection, { rows: sizes.use('documents', toNumber(config['DocumentCount']) ?? 0), document }, path)
    const indexes = listIn(config['Indexes']).map((index) => {
      const { keys: key = {}, options } = objectIn(index)
      return Object.assign({ key }, objectIn(options))
    })
    data.addIndexes(collection, indexes)
  }

  /** The collection of an actor: where there are several, each thread has one. */
  function chooseCollection(entry: Entry): Json {
    const count = toNumber(entry.config['CollectionCount'])
    const { Collection = count === 1 ? 'Collection0' : undefined } = entry.config
    if (Collection !== undefined) return data.use(nameCollection(entry, Collection))
    if (count === undefined) return findings.refuse(entry.path, 'a phase without a collection')
    return { '@concat': [data.use(nameCollection(entry, 'Collection'), count), { '@mod': [{ '@worker': {} }, count] }] }
  }

  function readCrud(entry: Entry, collection: Json): readonly GennyOperation[] {
    return operationsIn(entry).flatMap(([written, at]) => {
      const { OperationName: name, OperationCommand: command } = written
      if (name === 'drop') return drop(String(collection), entry.path)
      const { Keys: key = {}, IndexOptions } = objectIn(command)
      if (name === 'createIndex' && phases.length === 0) {
        data.addIndexes(String(collection), [{ key, ...objectIn(IndexOptions) }])
        return []
      }
      const { operation, concerns } = readOperation(written, at, operationContext(entry)) ?? { operation: undefined }
      return operation === undefined ? [] : [{ operation: { collection, ...operation }, concerns }]
    })
  }

  /** Each run begins with new collections. */
  function drop(collection: string, path: Path): readonly [] {
    if (phases.length > 0) dropped ??= path
    else if (data.isLoaded(collection)) findings.refuse(path, 'a drop of documents that were loaded')
    return []
  }

  function readCommands(entry: Entry): readonly GennyOperation[] {
    return operationsIn(entry).flatMap(([written, at]) => {
      findings.requireFields(written, operationFields, at)
      const { OperationCommand: given = {}, OperationMetricsName: own } = written
      const command = objectIn(readGennyValue(given, [...at, 'OperationCommand'], operationContext(entry)))
      const [[name = '', target = null] = []] = Object.entries(command)
      const named = { ...command, [name]: typeof target === 'string' ? nameCollection(entry, target) : target }
      const { setParameter, ...parameters } = command
      const isSet = phases.length === 0 && setParameter !== undefined
      if (isSet) setParameters = { ...setParameters, ...parameters }
      if (isSet || (phases.length === 0 && applyCommand(named, data))) return []
      const operation = readCommand(named, at, findings)
      if (typeof operation?.['collection'] === 'string') data.use(operation['collection'])
      const title = own === undefined ? {} : { name: operationName(String(own)) }
      return operation === undefined ? [] : [{ operation: { ...operation, ...title }, concerns: {} }]
    })
  }

  /** The load of an actor: each round of a thread is one operation, of steps where it has several. */
  function toLoad(entry: Entry, round: readonly GennyOperation[]): Load | undefined {
    const { name, config, threads, path } = entry
    findings.requireFields(config, loadFields, path)
    if (round.length === 0) return undefined
    if (dropped) findings.refuse(dropped, 'a drop between operations')
    const [repeat, ms] = [toNumber(config['Repeat']), readMs(config['Duration'])]
    if (repeat !== undefined && ms !== undefined) findings.refuse(path, '"Repeat" beside "Duration"')
    const distinct = distinctNames()
    const operations = round.map(({ operation: { kind = '', name: own = kind, ...others } }) =>
      round.length === 1 && own === kind ? { kind, ...others } : { kind, name: distinct(String(own)), ...others },
    )
    return {
      name,
      workers: sizes.use('workers', threads),
      ratePerSecond: readRate(entry),
      operations: operations.length > 1 ? [{ kind: 'steps', name: 'round', steps: operations }] : operations,
      calls: repeat === undefined ? undefined : sizes.use('operations', repeat * threads),
      seconds: ms === undefined ? undefined : { value: ms / 1000, json: sizes.use('seconds', ms / 1000) },
      concerns: mergeConcerns(round, (concern) => findings.refuse(path, `a ${concern} that differs within a phase`)),
    }
  }

  function readRate({ config: { GlobalRate: written }, path }: Entry): number | undefined {
    if (written === undefined) return undefined
    const [, count, time = ''] = /^(\d+) +per +(.+)$/.exec(String(written)) ?? []
    const ms = readMs(/^\d/.test(time) ? time : `1 ${time}`)
    if (ms === undefined) return void findings.refuse(path, `the rate ${String(written)}`)
    if (Number(count) > 1) findings.remark('rates are even, where genny sends all calls of a period at its beginning')
    return (Number(count) * 1000) / ms
  }

  for (const number of [...new Set(entries.map((entry) => entry.number))].toSorted((a, b) => a - b)) {
    const active = entries.filter((entry) => entry.number === number)
    const loads = active.flatMap((entry) => {
      const actor = Object.hasOwn(actors, entry.type) ? actors[entry.type] : undefined
      if (!actor) findings.refuse(entry.path, `the actor ${entry.type}`)
      return actor?.(entry) ?? []
    })
    if (loads.length === 0) continue
    const path = active[0]?.path ?? []
    if (active.some(({ type }) => type === 'Loader')) findings.refuse(path, 'a Loader beside operations')
    if (loads.length > 1 && loads.some(({ calls }) => calls !== undefined))
      findings.refuse(path, `"Repeat" in phase ${number}, where several actors send operations,`)
    if (loads.every(({ calls, seconds }) => (calls ?? seconds) === undefined))
      findings.refuse(path, 'a phase without an end')
    phases.push(createPhase(`phase${number}`, loads, settle ? { settle } : {}))
    settle = false
  }
  if (dropped) findings.remark(notDropped)
  const target = { kind: 'standalone', server: { setParameters } }
  return draft.finish(Object.keys(setParameters).length > 0 ? { target } : {})
}

/** The operations of a phase, with their places. */
const operationsIn = ({ config, path }: Entry): readonly (readonly [JsonObject, Path])[] =>
  listIn(config['Operations'] ?? config['Operation']).map((one, i) => [objectIn(one), [...path, 'Operations', i]])

/** Inserts a document and removes it, as the actor InsertRemove does. */
function insertRemove(collection: Json): GennyOperation {
  const id = { _id: { '@var': 'id' } }
  const steps = [
    { kind: 'insertOne', name: 'insert', collection, document: id },
    { kind: 'deleteOne', name: 'remove', collection, filter: id },
  ]
  const operation = { kind: 'steps', name: 'insertRemove', let: { id: { '@nextRow': { of: collection } } }, steps }
  return { operation, concerns: {} }
}

/** The concerns that all operations of a load have, or leave open. */
function mergeConcerns(operations: readonly GennyOperation[], refuse: (name: string) => void): JsonObject {
  const all = operations.flatMap(({ concerns }) => Object.entries(concerns))
  const merged = Object.fromEntries(all)
  for (const [name, concern] of all) if (JSON.stringify(merged[name]) !== JSON.stringify(concern)) refuse(name)
  return merged
}
