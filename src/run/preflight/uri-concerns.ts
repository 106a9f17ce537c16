import { ConnectionString } from 'mongodb-connection-string-url'
import { Problem } from '../../core/errors.ts'
import { sortedJson } from '../../core/json.ts'
import { type ConnectionPool } from '../../load/plan/plan.ts'
import { nameUri, type UriContext } from '../../servers/targets/existing/reach-existing.ts'
import { type SpecRow } from '../../spec/fold/read-rows.ts'
import { defaultConcerns } from '../../spec/operations/concerns.ts'
import { listWriters } from '../../spec/plan/writers.ts'
import { resolvePool } from '../../spec/schema/connection-pool.ts'
import { type PhaseSpec } from '../../spec/schema/phase-schema.ts'

/** Row with what a URI may contradict. */
export type RowWithUri = { readonly spec: Pick<SpecRow['spec'], 'target' | 'name' | 'data' | 'phases'> }

type Decided = {
  /** Field of a phase that decides. */
  readonly field: 'writeConcern' | 'readConcern' | 'readPreference' | 'pool'
  /** Returns what a phase says, in the words of a URI. */
  readonly says: (phase: PhaseSpec) => string
}

const ofWrites = (says: (concern: PhaseSpec['writeConcern']) => unknown): Decided => ({
  field: 'writeConcern',
  says: ({ writeConcern }) => String(says(writeConcern)),
})

const ofPool = (name: keyof ConnectionPool): Decided => ({
  field: 'pool',
  says: (phase) => String(resolvePool(phase)?.[name]),
})

const journal = ofWrites(({ j }) => j ?? false)
const timeout = ofWrites(({ wtimeoutMS }) => wtimeoutMS ?? 0)

/** Options of a URI that phases decide, by name. */
const decidedByPhases: Readonly<Record<string, Decided>> = {
  w: ofWrites(({ w }) => w),
  j: journal,
  journal,
  wtimeout: timeout,
  wtimeoutMS: timeout,
  readConcernLevel: { field: 'readConcern', says: ({ readConcern }) => readConcern.level },
  readPreference: { field: 'readPreference', says: ({ readPreference }) => readPreference.mode },
  readPreferenceTags: {
    field: 'readPreference',
    says: ({ readPreference: { tags = [] } }) => tags.map(tagsText).join(' '),
  },
  maxStalenessSeconds: {
    field: 'readPreference',
    says: ({ readPreference: { maxStalenessSeconds } }) => String(maxStalenessSeconds ?? -1),
  },
  maxPoolSize: ofPool('maxPoolSize'),
  maxConnecting: ofPool('maxConnecting'),
  waitQueueTimeoutMS: ofPool('waitQueueTimeoutMS'),
}

const tagsText = (tags: Readonly<Record<string, string>>): string =>
  Object.entries(tags)
    .map(([name, value]) => `${name}:${value}`)
    .join()

/**
 * Refuses URIs that ask for another write concern, read concern, read preference or connection pool than phases have by default: no option of a URI is
 * replaced in silence. The same value is accepted. A concern that a phase names itself goes before that of the URI, as in every driver; the URI's
 * holds for the rest, such as loading data.
 * @throws {Problem} "usage" with the option, both values and the phase.
 */
export function refuseOtherConcerns(rows: readonly RowWithUri[], context: Omit<UriContext, 'allowRemote'>): void {
  for (const { spec } of rows) {
    if (spec.target.kind !== 'existing') continue
    const { uriFrom } = spec.target
    const { searchParams } = new ConnectionString(context.uri(uriFrom) ?? '')
    for (const [name, { field, says }] of Object.entries(decidedByPhases)) {
      if (!searchParams.has(name)) continue
      const asked = searchParams.getAll(name).join(' ')
      const other = spec.phases.find((phase) => says(phase) !== asked && isUndecided(phase, field, spec))
      if (other !== undefined) throw contradiction(`${name}=${asked}`, nameUri(uriFrom, context), other, field)
    }
  }
}

/** Whether a phase needs a setting and does not name it. */
function isUndecided(phase: PhaseSpec, field: Decided['field'], spec: RowWithUri['spec']): boolean {
  if (field === 'pool') return true
  if (field === 'writeConcern' && listWriters({ ...spec, phases: [phase] }).length === 0) return false
  return sortedJson(phase[field]) === sortedJson(defaultConcerns[field])
}

/** Returns what a phase is measured with, as text. */
function describeChoice(phase: PhaseSpec, field: Decided['field']): string {
  const value = field === 'pool' ? resolvePool(phase) : phase[field]
  return value === undefined ? 'a connection for each operation in flight' : JSON.stringify(value)
}

const contradiction = (option: string, uri: string, phase: PhaseSpec, field: Decided['field']): Problem =>
  new Problem(
    'usage',
    `The URI of ${uri} sets ${option}, and the phase "${phase.name}" is measured with ${describeChoice(phase, field)}`,
    { hint: `Set "${field}" of the phase to what you want to measure, or leave the option out of the URI.` },
  )
