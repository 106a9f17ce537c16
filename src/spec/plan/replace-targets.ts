import { Problem } from '../../core/errors.ts'
import { sortedJson } from '../../core/json.ts'
import { uriOptions } from '../../servers/targets/existing.ts'
import { type SpecRow } from '../fold/read-rows.ts'

/** The row on the server of MONGO_PERF_URI. The facts stay: they are what the user knows of that server. */
export const onExisting = (row: SpecRow): SpecRow => ({
  ...row,
  spec: { ...row.spec, target: { kind: 'existing', uriFrom: 'MONGO_PERF_URI', facts: row.spec.target.facts } },
})

/** The row on servers that are started for it alone. */
export const onFreshServers = (row: SpecRow): SpecRow => {
  const { target } = row.spec
  return target.kind === 'existing' ? row : { ...row, spec: { ...row.spec, target: { ...target, fresh: true } } }
}

/**
 * One server in the place of several: tables would show its figures under the names, facts or settings of the others.
 * @param rows With the targets that the spec gives them.
 */
export function refuseOneServerForSeveral(rows: readonly SpecRow[]): void {
  const described = rows.map(describe)
  for (const [i, row] of described.entries()) {
    const other = described.slice(0, i).find((before) => contradicts(before, row))
    if (other !== undefined) throw oneForSeveral(other.label, row.label, rows)
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

function oneForSeveral(first: string, second: string, rows: readonly SpecRow[]): Problem {
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
