import { isObject, type Json, type JsonObject, type Path } from '../../core/json.ts'
import { type EngineKind } from '../../load/engines/engine-kinds.ts'
import { type PhaseSpec, type WrittenPhase } from '../schema/phase-schema.ts'

const oneWorker = { kind: 'closed', workers: 1 } as const

/** The loads of a phase, which are compiled, run and measured: of one without `loads` itself. */
export function splitLoads(
  { name: ofPhase, load = oneWorker, loads, ...phase }: WrittenPhase,
  engine: EngineKind,
): readonly PhaseSpec[] {
  // The order of keys is a part of the hash of a spec.
  if (loads === undefined) return [{ name: ofPhase, load, ...phase, operations: phase.operations ?? [], engine }]
  const { seconds: end = 0 } = phase.stopAfter ?? {}
  const alternation = loads.flatMap(({ name, alternate: seconds }) =>
    seconds === undefined ? [] : { load: name, seconds, pairs: Math.floor(end / (2 * seconds) + 1e-9) },
  )[0]
  return loads.map(({ name, load: own = oneWorker, operations, from, until, alternate, ...given }) => ({
    ...phase,
    ...(Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Partial<PhaseSpec>),
    name,
    engine,
    load: own,
    operations,
    warmup: from > 0 || alternate !== undefined ? undefined : phase.warmup,
    stopAfter: phase.stopAfter && { ...phase.stopAfter, seconds: (until ?? end) - from },
    parallel: { phase: ofPhase, from, until, alternate, alternation },
  }))
}

/** The place in a folded spec of a place in its split phases: `phases.2.load` is `phases.1.loads.1.load` where the second phase has two loads. */
export function findWrittenPlace(spec: JsonObject, path: Path): Path {
  const [part, index, key, ...rest] = path
  const { phases } = spec
  if (part !== 'phases' || typeof index !== 'number' || !Array.isArray(phases)) return path
  const places = phases.flatMap((phase: Json, p) => listLoads(phase).map((load, l) => ({ at: ['phases', p], load, l })))
  const { at = [part, index], load, l = 0 } = places[index] ?? {}
  if (load === undefined) return [...at, ...path.slice(2)]
  const ofLoad = [...at, 'loads', l]
  if (key === 'parallel') return [...ofLoad, ...rest]
  return key === undefined || Object.hasOwn(load, key) ? [...ofLoad, ...path.slice(2)] : [...at, key, ...rest]
}

/** The loads of a phase as JSON. Undefined: the phase itself. */
function listLoads(phase: Json): readonly (JsonObject | undefined)[] {
  const loads = isObject(phase) ? phase['loads'] : undefined
  return Array.isArray(loads) ? loads.map((load: Json) => (isObject(load) ? load : {})) : [undefined]
}
