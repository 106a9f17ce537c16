import { Problem } from '../../core/errors.ts'
import { type Json, sortedJson } from '../../core/json.ts'
import { type ReportSpec, type TableSpec } from '../../metrics/report-schema.ts'
import { labelName, serverName } from '../../metrics/rows/parameters.ts'
import { groupBy } from '../../metrics/statistics.ts'
import { existing } from '../../servers/targets/existing.ts'
import { type ParameterValue, type SpecRow } from '../fold/read-rows.ts'
import { formatRowLabel } from '../fold/variants.ts'
import { type NamedServer } from '../parse/overrides.ts'
import { asNamed } from '../rules/rows.ts'
import { textsThatDiffer } from '../rules/texts.ts'

/**
 * The rows of a spec on each of several servers that others run: `server` is their outer parameter.
 * @param written With the targets that the spec gives them, which the servers replace.
 */
export function crossServers(written: readonly SpecRow[], servers: readonly NamedServer[]): readonly SpecRow[] {
  const own = written.find(
    ({ parameters, varied }) => varied.includes(serverName) || isTaken(parameters.get(serverName)),
  )
  if (own !== undefined) throw taken(own.spec.name)
  const rows = rowsOfWork(written)
  const size = Math.max(...rows.map(({ index }) => index)) + 1
  const crossed = servers.flatMap((server, position) => rows.map((row) => onServer(row, server, { position, size })))
  const [first] = crossed
  if (first === undefined) return []
  const report = reportOfSeveral(first.spec.report, crossed)
  return crossed.map((row) => withReport(row, report))
}

const withReport = (row: SpecRow, report: ReportSpec): SpecRow => ({ ...row, spec: { ...row.spec, report } })

/** Shipped specs keep their target in a parameter of this name, which the servers may well replace. */
const isTaken = (parameter: ParameterValue | undefined): boolean =>
  parameter !== undefined &&
  (typeof parameter.value !== 'object' || parameter.value === null || !('kind' in parameter.value))

const taken = (spec: string): Problem =>
  new Problem('usage', `The spec "${spec}" has its own parameter "${serverName}", which --servers would replace`, {
    hint: `Give its "existing" targets their URIs with --uri name=mongodb://…, or give its parameter "${serverName}" another name.`,
  })

/** @param place Of the server among the servers, and how many numbers the rows of each take. */
function onServer(
  row: SpecRow,
  server: NamedServer,
  { position, size }: { readonly position: number; readonly size: number },
): SpecRow {
  const target = createExistingTarget(server)
  const own = [...row.parameters].filter(([name]) => name !== serverName)
  const choice: ParameterValue = { value: target as Json, label: server.name, choice: position }
  return {
    ...row,
    index: position * size + row.index,
    label: [`${serverName} ${server.name}`, row.label].filter((part) => part !== '').join(', '),
    parameters: new Map([[serverName, choice], ...own]),
    varied: [serverName, ...row.varied],
    spec: { ...row.spec, target },
  }
}

function createExistingTarget({ name, uriFrom, facts = {} }: NamedServer): SpecRow['spec']['target'] {
  const read = existing.spec.safeParse({ kind: 'existing', uriFrom, facts })
  if (read.success) return read.data
  const [issue] = read.error.issues
  throw new Problem('usage', `The server "${name}": ${issue?.path.join('.')} ${issue?.message}`, {
    hint: 'Facts are texts, numbers, true, false or null: --facts small.pricePerHour=0.5',
  })
}

/**
 * Reduces the report to what is true of all servers. Sentences with figures and published figures speak of one; a table
 * of one row that has figures becomes one of a row for each.
 */
function reportOfSeveral(report: ReportSpec, rows: readonly SpecRow[]): ReportSpec {
  const varied = [...new Set(rows.flatMap((row) => row.varied))]
  const texts = textsThatDiffer(report, { rows: rows.map(asNamed), varied })
  const left = new Set(['published', ...texts])
  const kept = Object.fromEntries(Object.entries(report).filter(([part]) => !left.has(part)))
  const { tables } = report
  return { ...kept, ...(tables && { tables: tables.map(ofEachRow) }) }
}

const ofEachRow = (table: TableSpec): TableSpec =>
  table.rows === 'once' && table.columns.some(readsFigures) ? { ...table, rows: 'variants' } : table

const readsFigures = (column: TableSpec['columns'][number]): boolean =>
  typeof column === 'string' ||
  'metric' in column ||
  ('value' in column && /"@(?:metric|var|cluster)"/.test(JSON.stringify(column.value)))

/** Splits `--only` into its choice of servers and its choice of rows of the spec. */
export function chooseServers(
  only: readonly string[],
  servers: readonly NamedServer[],
): { readonly only: readonly string[]; readonly servers: readonly NamedServer[] } {
  if (servers.length === 0) return { only, servers }
  const wanted = only.map((text) => /^server[= ](\w+)(?:, (.*))?$/s.exec(text))
  const names = wanted.flatMap((found) => found?.[1] ?? [])
  const unknown = names.find((name) => !servers.some((server) => server.name === name))
  if (unknown !== undefined)
    throw new Problem('usage', `No row matches "server=${unknown}"`, {
      hint: `The servers are ${servers.map(({ name }) => name).join(', ')}.`,
    })
  return {
    only: only.flatMap((text, i) => (wanted[i] ? (wanted[i][2] ?? []) : text)),
    servers: servers.filter(({ name }) => names.every((one) => one === name)),
  }
}

/**
 * The rows of a spec without what its targets vary: rows that do the same work on several targets of the spec are one,
 * because on an existing server they would be measured as often, under the names of servers that they did not run on.
 */
function rowsOfWork(rows: readonly SpecRow[]): readonly SpecRow[] {
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
  const label = formatRowLabel(
    varied.map((name) => {
      const { label: own, value = null } = parameters.get(name) ?? {}
      return [name, { label: own, shown: value }]
    }),
  )
  if (label !== '') parameters.set(labelName, { value: label })
  return { ...row, label, parameters, varied, spec: { ...row.spec, report: {} } }
}
