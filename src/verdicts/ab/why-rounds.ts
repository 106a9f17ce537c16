import { listServerOptions, listTargetLinks } from '../../servers/targets/index.ts'
import { type ResolvedServerOptions } from '../../servers/targets/server/server-options.ts'
import { listServerLimits } from '../../servers/targets/start/shared-servers.ts'
import { type PhaseSpec } from '../../spec/schema/phase-schema.ts'
import { type Spec } from '../../spec/schema/schema.ts'
import { type Side } from './sides.ts'

/**
 * Returns why two sides cannot run at the same time and be measured in turns: one clause about them, or undefined where
 * they can. Whole runs in turn are left then.
 */
export function whyRounds(sides: readonly Side[]): string | undefined {
  for (const side of sides) {
    const reason = whyNotSide(side)
    if (reason !== undefined) return reason
  }
  return betweenSides.find(([, of]) => new Set(sides.flatMap((side) => of(side) ?? [])).size > 1)?.[0]
}

/** Settings that have to be the same on both sides, as text. Undefined: the side has nothing of the kind. */
const betweenSides: readonly (readonly [reason: string, of: (side: Side) => string | undefined])[] = [
  [
    'A and B differ in the measured phases',
    (side) =>
      measuredPhases(getSpec(side))
        .map(({ name }) => name)
        .join(),
  ],
  [
    'A and B differ in the mongod',
    (side) => listServerSettings(side, ({ binary, version }) => [side.run.mongod ?? binary, version]),
  ],
  ['A and B differ in the cache of the server', (side) => listServerSettings(side, ({ cacheGB }) => cacheGB)],
]

/** A setting of the servers that are started, each value once. Undefined: they run already. */
function listServerSettings(side: Side, setting: (server: ResolvedServerOptions) => unknown): string | undefined {
  const values = listServerOptions(getSpec(side).target).map((server) => JSON.stringify(setting(server)))
  return values.length === 0 ? undefined : [...new Set(values)].toSorted().join()
}

function whyNotSide(side: Side): string | undefined {
  const { loaded, run } = side
  if (loaded.rows.length !== 1) return `the spec has ${loaded.rows.length} rows`
  if (loaded.repeat.startUpRuns > 0) return 'the spec has start-up runs'
  if ((run.overrides.allowWrites ?? []).length > 0) return 'both sides write to a collection that exists'
  const spec = getSpec(side)
  return whyNotSpec(spec) ?? measuredPhases(spec).flatMap((phase) => whyNotPhase(phase) ?? [])[0]
}

const getSpec = ({ loaded: { rows } }: Pick<Side, 'loaded'>): Spec => {
  const [first] = rows
  if (first === undefined) throw new Error('A spec has a row')
  return first.spec
}

function whyNotSpec({ target, allow, checks, thresholds, phases }: Spec): string | undefined {
  if (listServerLimits(target).some((limits) => limits !== null)) return 'its servers have limits'
  if (listTargetLinks(target).length > 0) return 'its servers have links'
  if (allow.length > 0) return 'its servers run code of the spec'
  if (checks.length > 0) return 'it has checks'
  if (thresholds.some(({ abort }) => abort)) return 'it has thresholds that end a run'
  return phases.some(({ faults = [] }) => faults.length > 0) ? 'it has faults' : undefined
}

function whyNotPhase({ name, load, stopAfter, operations, writeConcern, parallel }: PhaseSpec): string | undefined {
  if (parallel !== undefined) return `the phase "${parallel.phase}" has parallel loads`
  if ('secondsPerStep' in load) return `the phase "${name}" is a search`
  if (load.kind === 'open' && load.stages !== undefined) return `the load of the phase "${name}" has stages`
  const { seconds, operations: calls, documents } = stopAfter ?? {}
  if (seconds === undefined || calls !== undefined || documents !== undefined)
    return `the phase "${name}" ends after a number of operations`
  if (operations.some(({ kind }) => kind === 'changeStream')) return `the phase "${name}" has change streams`
  return writeConcern.w === 0 ? `writes of the phase "${name}" are not acknowledged` : undefined
}

const measuredPhases = ({ phases }: Spec): readonly PhaseSpec[] => phases.filter(({ measured }) => measured)
