import { Problem } from '../../core/errors.ts'
import { sortedJson } from '../../core/json.ts'
import { type EngineKind } from '../../load/engines/engine-kinds.ts'
import { uriOptions } from '../../servers/targets/existing.ts'
import { type SpecRow } from '../fold/read-rows.ts'
import { type Overrides } from '../parse/overrides.ts'

/**
 * Refuses one server or one engine in the place of several that the rows of a spec compare.
 * @param readRows Reads them as the spec has them, without what the command line replaces.
 */
export function refuseOneForSeveral(readRows: () => readonly SpecRow[], { existing = false, engine }: Overrides): void {
  if (existing) refuseOneServer(readRows())
  if (engine !== undefined) refuseOneEngine(readRows())
}

/** Tables would show the figures of one server under the names, facts or settings of the others. */
function refuseOneServer(rows: readonly SpecRow[]): void {
  const described = rows.map(describe)
  for (const [i, row] of described.entries()) {
    const other = described.slice(0, i).find((before) => contradicts(before, row))
    if (other !== undefined) throw oneServer(other.label, row.label, rows)
  }
}

type Described = {
  readonly label: string
  readonly target: string
  /** Identity of the server, by the spec. */
  readonly identity: string
  readonly work: string
}

function describe({ label, spec: { target, data, phases } }: SpecRow): Described {
  const { facts } = target
  const variable = target.kind === 'existing' ? target.uriFrom : null
  return {
    label,
    target: sortedJson({ ...target, fresh: undefined }),
    identity: sortedJson([variable, facts]),
    work: JSON.stringify([data, phases]),
  }
}

/** Rows that do the same work are there to compare their servers; rows of other work may have servers to suit it. */
const contradicts = (a: Described, b: Described): boolean =>
  a.identity !== b.identity || (a.work === b.work && a.target !== b.target)

function oneServer(first: string, second: string, rows: readonly SpecRow[]): Problem {
  const variables = rows.flatMap(({ spec: { target } }) => (target.kind === 'existing' ? target.uriFrom : []))
  const options = uriOptions([...new Set(variables)])
  const own =
    options === ''
      ? 'To compare servers, make them "existing" targets, each with its own "uriFrom" and its --uri name=mongodb://…'
      : `Give each its own, with ${options}`
  return new Problem(
    'usage',
    `Rows differ in their targets ("${first}" and "${second}"): with one server for all, the table would compare it with itself`,
    { hint: `${own}; or run one of the rows with --only.` },
  )
}

/** Tables would show the figures of one engine under the names of both. */
function refuseOneEngine(rows: readonly SpecRow[]): void {
  const found = new Map<string, { readonly engine: EngineKind; readonly label: string }>()
  for (const { label, spec } of rows)
    for (const { name, engine } of spec.phases) {
      const other = found.get(name) ?? { engine, label }
      if (other.engine !== engine)
        throw new Problem(
          'usage',
          `Rows differ in the engine of the phase "${name}" ("${other.label}" and "${label}"): with one engine for all, the table would compare it with itself`,
          { hint: 'Leave --engine out, or choose rows with --only.' },
        )
      found.set(name, other)
    }
}
