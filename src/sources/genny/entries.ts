import { type Json, type JsonObject, type Path } from '../../core/json.ts'
import { distinctNames, operationName } from '../init/names.ts'
import { type Findings } from '../workloads/findings.ts'
import { listIn, objectIn, toNumber } from '../workloads/parse-yaml.ts'
import { ofFailures } from './operations.ts'

/** An actor in one phase. */
export type Entry = {
  readonly type: string
  /** Unique among those of all actors that are listed. */
  readonly name: string
  readonly threads: number
  /** The number of the phase, from 0. */
  readonly number: number
  /** Fields of the phase, and those that it has from the actor. */
  readonly config: JsonObject
  readonly path: Path
}

/** Actors that send nothing to measure. */
const silent: ReadonlySet<string> = new Set([
  'LoggingActor',
  'NopMetrics',
  'HelloWorld',
  'PhaseTimingRecorder',
  'StreamStatsReporter',
])

const actorFields = ['Name', 'Type', 'Threads', 'Database', 'Collection', 'ClientName', 'Phases', ...ofFailures]

/** Lists the phases in which actors are active. */
export function listEntries({ Actors: actors }: JsonObject, findings: Findings): readonly Entry[] {
  const distinct = distinctNames()
  return listIn(actors).flatMap((item, i) => {
    const actor = objectIn(item)
    const type = String(actor['Type'])
    if (silent.has(type)) return []
    const path = ['Actors', i]
    findings.requireFields(actor, actorFields, path)
    const { Name: name = type, Threads: threads, Database, Collection } = actor
    const inherited = Object.entries({ Database, Collection }).filter(([, value]) => value !== undefined)
    return listPhases(actor, path).map(({ number, config, path: at }) => ({
      type,
      name: distinct(operationName(String(name))),
      threads: toNumber(threads) ?? 1,
      number,
      config: Object.assign({}, Object.fromEntries(inherited) as JsonObject, config),
      path: at,
    }))
  })
}

type ActorPhase = Pick<Entry, 'number' | 'config' | 'path'>

function listPhases({ Phases: phases }: JsonObject, path: Path): readonly ActorPhase[] {
  let next = 0
  return listIn(phases).flatMap((item, i): readonly ActorPhase[] => {
    const at = [...path, 'Phases', i]
    const { OnlyActiveInPhases: only, ...config } = objectIn(item)
    if (only !== undefined) {
      const { Active: active, PhaseConfig: phase } = objectIn(only)
      const numbers = listIn(active).flatMap((number) => numbersIn(number))
      return numbers.map((number) => ({
        number,
        config: objectIn(phase),
        path: [...at, 'OnlyActiveInPhases', 'PhaseConfig'],
      }))
    }
    const numbers = numbersIn(config['Phase'] ?? next)
    next = (numbers.at(-1) ?? next) + 1
    return config['Nop'] === true ? [] : numbers.map((number) => ({ number, config, path: at }))
  })
}

/** The numbers of `3`, or of `0..2`. */
function numbersIn(json: Json): readonly number[] {
  const [from = 0, to = from] = typeof json === 'string' ? json.split('..').map(Number) : [toNumber(json) ?? 0]
  return Array.from({ length: to - from + 1 }, (_, n) => from + n)
}
