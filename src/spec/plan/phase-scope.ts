import { systemClock } from '../../core/clock.ts'
import { type Path } from '../../core/json.ts'
import { suggestion } from '../../language/issues.ts'
import { type Counter, type ValueScope } from '../../language/values/scope.ts'
import { type BsonWriter } from '../../protocol/bson/writer.ts'
import { type Addressed, describeCollections, findSet, isDrawn } from './addressed.ts'
import { type Counted } from './call-source.ts'
import { type CompileContext, type DataSet, rowSource } from './data-set.ts'
import { type WorkerMemory } from './worker-memory.ts'

/** State that the operations of a phase share while they are compiled. */
export type PhaseScope = CompileContext & {
  /** Data sets, each with the number of rows that had been given out when the phase began. */
  readonly dataSets: ReadonlyMap<DataSet, number>
  readonly counter: () => Counter
  /** For what is made when replies have come: of several units each has numbers of its own. */
  readonly lateCounter: () => Counter
  readonly workers: number
  /** Values that its workers remember in a pass. */
  readonly memory: WorkerMemory
  /** Writer that the values to send go to while a call is built. Undefined: they are values of JavaScript. */
  readonly encodesInto?: BsonWriter | undefined
  /** Called while an operation is compiled, with what of its calls is counted. */
  readonly noteCounted: (counted: Counted) => void
}

/** The named data set, or the only one. Undefined after a report. */
export function findDataSet(
  { dataSets }: PhaseScope,
  name: string | undefined,
  report: (reason: string) => void,
): DataSet | undefined {
  const all = [...dataSets.keys()]
  const names = all.map(({ spec }) => spec.collection)
  if (name === undefined && all.length === 1) return all[0]
  const found = all.find(({ spec }) => spec.collection === name)
  if (!found)
    report(
      name === undefined
        ? `name the collection: there are ${names.length === 0 ? 'none in "data"' : names.join(', ')}`
        : `there is no collection "${name}" in "data"${suggestion(name, names)}`,
    )
  return found
}

/** The data set that an operation works on. Undefined after a report. */
export function findAddressed(
  phase: PhaseScope,
  addressed: Addressed,
  report: (reason: string) => void,
): DataSet | undefined {
  const { collection } = addressed
  const all = [...phase.dataSets.keys()]
  const found = findSet(
    addressed,
    all.map(({ spec }) => spec),
  )
  if (collection !== undefined && found !== undefined) return all.find(({ spec }) => spec === found)
  const isMeant = ({ spec }: DataSet): boolean =>
    collection === undefined ? all.length === 1 : isDrawn(addressed) || spec.collection === collection
  const meant = all.filter(({ several }) => several !== undefined).find(isMeant)?.spec
  if (meant === undefined && typeof collection !== 'object') return findDataSet(phase, collection, report)
  report(
    meant === undefined
      ? 'needs a data set with "collections", and there is none'
      : `${collection === undefined ? 'name a' : 'is no'} collection of "${meant.collection}", which has ${describeCollections(meant)}`,
  )
  return undefined
}

/** Returns the scope of the values of an operation. */
export const operationScope = (
  phase: PhaseScope,
  { place, path, addressed }: { readonly place: string; readonly path: Path; readonly addressed: Addressed },
): ValueScope => ({
  seed: phase.seed,
  place,
  path,
  inRow: false,
  call: { workers: phase.workers, now: () => systemClock.date(), memory: phase.memory },
  rows(of, report) {
    const dataSet = of === undefined ? findAddressed(phase, addressed, report) : findDataSet(phase, of, report)
    if (!dataSet) return undefined
    return rowSource(dataSet, phase.dataSets.get(dataSet) ?? 0, () => {
      phase.noteCounted({ kind: 'anything' })
      return dataSet.numbers
    })
  },
  counter: phase.counter,
  report: phase.report,
  budget: phase.budget,
  variables: new Map(),
})
