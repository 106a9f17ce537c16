import { Problem } from '../../src/core/errors.ts'
import { type JsonObject } from '../../src/core/json.ts'
import { type SpecRow } from '../../src/spec/fold/read-rows.ts'
import { type LoadedSpec, loadSpecText, type Overrides } from '../../src/spec/load-spec.ts'

/** A small spec that is right, with some of its parts replaced; undefined leaves a part out. */
export function aSpec(parts: { readonly [key: string]: unknown } = {}): JsonObject {
  const spec = {
    name: 'small',
    data: { collection: 'things', rows: 10, document: { _id: { '@row': {} }, n: { '@int': {} } } },
    phases: [aPhase()],
    ...parts,
  }
  return JSON.parse(JSON.stringify(spec)) as JsonObject
}

export const aPhase = (parts: { readonly [key: string]: unknown } = {}): JsonObject =>
  ({
    name: 'read',
    stopAfter: { operations: 10 },
    operations: [{ kind: 'findOne', filter: { _id: { '@key': {} } } }],
    ...parts,
  }) as JsonObject

export const load = (parts: { readonly [key: string]: unknown } = {}, overrides: Overrides = {}): LoadedSpec =>
  loadSpecText(JSON.stringify(aSpec(parts)), 'spec.json', overrides)

/** The only row of a spec. */
export function oneRow(parts: { readonly [key: string]: unknown } = {}, overrides: Overrides = {}): SpecRow {
  const { rows } = load(parts, overrides)
  const [row] = rows
  if (!row || rows.length > 1) throw new Error(`${rows.length} rows instead of one`)
  return row
}

/** What a user is told of a spec that is wrong, without the places. */
export function problemsOf(
  parts: { readonly [key: string]: unknown } = {},
  overrides: Overrides = {},
): readonly string[] {
  try {
    load(parts, overrides)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return error.message.split('\n').map((line) => line.replace(/^spec\.json:\d+:\d+: /, ''))
  }
  return []
}
