import { ConnectionString } from 'mongodb-connection-string-url'
import { Problem } from '../../core/errors.ts'
import { type ConnectionPool } from '../../load/plan/plan.ts'
import { type SpecRow } from '../../spec/fold/read-rows.ts'
import { resolvePool } from '../../spec/schema/connection-pool.ts'
import { type PhaseSpec } from '../../spec/schema/phase-schema.ts'

type Phase = Pick<PhaseSpec, 'name' | 'writeConcern' | 'readConcern' | 'readPreference' | 'pool' | 'load'>
/** Rows with what a URI may contradict. */
export type RowWithUri = { readonly spec: Pick<SpecRow['spec'], 'target'> & { readonly phases: readonly Phase[] } }

type Decided = {
  /** Field of a phase that decides. */
  readonly field: 'writeConcern' | 'readConcern' | 'readPreference' | 'pool'
  /** Returns what a phase says, in the words of a URI. */
  readonly says: (phase: Phase) => string
}

const ofWrites = (says: (concern: Phase['writeConcern']) => unknown): Decided => ({
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
 * Refuses URIs that ask for another write concern, read concern, read preference or connection pool than the phases that are measured on their
 * servers: the spec says what is measured, and no option of a URI is replaced in silence. The same value is accepted.
 * @throws {Problem} "usage" with the option, both values and the phase.
 */
export function refuseOtherConcerns(rows: readonly RowWithUri[], uri: (variable: string) => string | undefined): void {
  for (const { spec } of rows) {
    if (spec.target.kind !== 'existing') continue
    const { uriFrom } = spec.target
    const { searchParams } = new ConnectionString(uri(uriFrom) ?? '')
    for (const [name, { field, says }] of Object.entries(decidedByPhases)) {
      if (!searchParams.has(name)) continue
      const asked = searchParams.getAll(name).join(' ')
      const other = spec.phases.find((phase) => says(phase) !== asked)
      if (other !== undefined) throw contradiction(`${name}=${asked}`, uriFrom, other, field)
    }
  }
}

/** Returns what a phase is measured with, as text. */
function describeChoice(phase: Phase, field: Decided['field']): string {
  const value = field === 'pool' ? resolvePool(phase) : phase[field]
  return value === undefined ? 'a connection for each call in flight' : JSON.stringify(value)
}

const contradiction = (option: string, variable: string, phase: Phase, field: Decided['field']): Problem =>
  new Problem(
    'usage',
    `The URI of ${variable} sets ${option}, and the phase "${phase.name}" is measured with ${describeChoice(phase, field)}`,
    { hint: `Set "${field}" of the phase to what you want to measure, or leave the option out of the URI.` },
  )
