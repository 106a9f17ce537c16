import { Problem } from '../../core/errors.ts'
import { sortedJson } from '../../core/json.ts'
import { groupBy } from '../../metrics/group-by.ts'
import { labelName } from '../../metrics/parameters.ts'
import { type SpecRow } from '../schema/read-rows.ts'
import { labelOf } from '../schema/variants.ts'

/**
 * The rows of a spec without what its targets vary: rows that do the same work on several targets of the spec are one,
 * because on an existing server they would be measured as often, under the names of servers that they did not run on.
 */
export function rowsOfWork(rows: readonly SpecRow[]): readonly SpecRow[] {
  const groups = [...groupBy(rows, ({ spec: { data, phases } }) => JSON.stringify([data, phases])).values()]
  const split = groups.find((group) => new Set(group.map(targetText)).size > 1)
  if (split === undefined) return rows
  refuseWrittenRows(rows, split)
  const ofTargets = new Set([labelName, ...groups.flatMap(differingNames)])
  return groups.flatMap(([row]) => (row === undefined ? [] : withoutNames(row, ofTargets)))
}

const targetText = ({ spec: { target } }: SpecRow): string => sortedJson({ ...target, fresh: undefined })

/** Rows that are written one by one have labels of their own, which may speak of their targets. */
function refuseWrittenRows(rows: readonly SpecRow[], split: readonly SpecRow[]): void {
  if (rows.every(({ varied, parameters }) => varied.every((name) => parameters.get(name)?.choice !== undefined))) return
  const labels = split.map(({ label }) => `"${label}"`)
  const subject = `Rows of "${rows[0]?.spec.name}" differ in their targets alone, which --servers replaces`
  throw new Problem('usage', `${subject}: ${labels.join(', ')}`, {
    hint: 'Leave --servers out, or choose one of these rows with --only.',
  })
}

function differingNames(group: readonly SpecRow[]): readonly string[] {
  const names = new Set(group.flatMap(({ parameters }) => [...parameters.keys()]))
  return [...names].filter(
    (name) => new Set(group.map(({ parameters }) => JSON.stringify(parameters.get(name)))).size > 1,
  )
}

/** The report of the spec goes with them: its tables and prose are about its own targets. */
function withoutNames(row: SpecRow, names: ReadonlySet<string>): SpecRow {
  const parameters = new Map([...row.parameters].filter(([name]) => !names.has(name)))
  const varied = row.varied.filter((name) => !names.has(name))
  const label = labelOf(
    varied.map((name) => {
      const { label: own, value = null } = parameters.get(name) ?? {}
      return [name, { label: own, shown: value }]
    }),
  )
  if (label !== '') parameters.set(labelName, { value: label })
  return { ...row, label, parameters, varied, spec: { ...row.spec, report: {} } }
}
