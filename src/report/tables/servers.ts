import { type Evaluation } from '../../metrics/evaluate.ts'
import { cellText } from '../../metrics/format.ts'
import { type FullReportSpec } from '../../metrics/report-schema.ts'
import { parameterCell, parameterTitle, varyingParameters } from '../../metrics/rows/parameters.ts'
import { groupBy } from '../../metrics/statistics.ts'
import { type Result, type VariantResult } from '../../results/schema.ts'
import { serverFacts } from '../prose/environment.ts'
import { type PlainColumn, plainTable, type Table } from './table.ts'

/** A table of servers, with what differs between them. */
export type ServerList = {
  readonly table: Table
  /** The facts that it shows. */
  readonly facts: ReadonlySet<string>
}

/** The list of servers. Null if all rows ran on one server, or on indistinguishable ones. */
export function createServerList({ result, spec }: Evaluation): ServerList | null {
  const known = result.variants.filter(({ server }) => server !== null).toSorted((a, b) => a.row - b.row)
  const servers = [...groupBy(known, (variant) => JSON.stringify(serverFacts([variant]))).values()]
  if (servers.length < 2) return null
  const names = serverFacts(known).flatMap(({ name }) =>
    new Set(servers.map((rows) => findFactValue(rows, name))).size > 1 ? [name] : [],
  )
  const ofFacts = names.map((name) => ({ title: name, cell: (rows: Rows) => findFactValue(rows, name) }))
  return {
    table: plainTable('Servers', [...createServerNameColumns(servers, result, spec), ...ofFacts], servers),
    facts: new Set(names),
  }
}

export type Rows = readonly VariantResult[]

const findFactValue = (rows: Rows, wanted: string): string =>
  serverFacts(rows).find(({ name }) => name === wanted)?.value ?? ''

const formatParameterText = (variant: VariantResult, name: string): string =>
  cellText(parameterCell(variant, name), null)

/** The first columns of a table of servers: the parameters that determine them, else the numbers of their rows. */
export function createServerNameColumns(
  servers: readonly Rows[],
  result: Result,
  spec: FullReportSpec,
): readonly PlainColumn<Rows>[] {
  const choosing = varyingParameters(result).filter((name) =>
    servers.every((rows) => new Set(rows.map((variant) => formatParameterText(variant, name))).size === 1),
  )
  if (choosing.length === 0) {
    const numbers = (rows: Rows): string => [...new Set(rows.map(({ row }) => row + 1))].join(', ')
    return [{ title: 'Rows', cell: numbers }]
  }
  return choosing.map((name) => ({
    title: parameterTitle(spec, name),
    cell: ([first]) => (first === undefined ? null : formatParameterText(first, name)),
  }))
}
