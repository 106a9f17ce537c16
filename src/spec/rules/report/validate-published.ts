import { type Path } from '../../../core/json.ts'
import { oneFinding, type Finding } from '../../../language/issues.ts'
import { metricIn } from '../../../metrics/address.ts'
import { getColumn, isMetric } from '../../../metrics/columns/index.ts'
import { type PublishedSpec, type ReportSpec } from '../../../metrics/report-schema.ts'
import { type Named, parameterIssues } from '../../../metrics/rows/parameters.ts'
import { isAt } from '../../../metrics/rows/siblings.ts'
import { type Shape } from '../../../metrics/scope.ts'
import { listAdjacentSpecs, findTable } from '../../published/find-table.ts'
import { findPublishedRow } from '../../published/match.ts'
import { validateMetricAddress } from './validate-expression.ts'

/** The issues of the published figures that a report compares with. */
export function validatePublished(
  { published }: ReportSpec,
  shape: Shape,
  parameters: readonly string[],
): readonly Finding[] {
  if (published === undefined) return []
  const beside = listAdjacentSpecs(published).map((one, index) => ({ one, at: ['beside', index] }))
  const issues = issuesIn(findTable(published))
  return [
    // What is wrong with the document, or with the key columns, is reported once.
    ...(issues.length > 0 ? issues : beside.flatMap(({ one, at }) => issuesIn(findTable(one, at)))),
    ...validatePublishedMetric(published.metric, shape, []),
    ...beside.flatMap(({ one, at }) => validatePublishedMetric(one.metric, shape, at)),
    ...published.rows.flatMap(({ parameter }, index) =>
      parameterIssues(['published', 'rows', index, 'parameter'], parameter, parameters),
    ),
  ]
}

const issuesIn = (found: ReturnType<typeof findTable>): readonly Finding[] => ('issues' in found ? found.issues : [])

function validatePublishedMetric(metric: string, shape: Shape, at: Path): readonly Finding[] {
  const path = ['published', ...at, 'metric']
  const measure = metricIn(metric)
  if (isMetric(measure) && getColumn(measure).isText)
    return oneFinding(path, `"${measure}" is text, and only metrics can be compared`)
  return validateMetricAddress(metric, path, shape, 'variants')
}

/** The issues of "base", which must select one row that is also published. */
export function validateBase(published: PublishedSpec, rows: readonly Named[]): readonly Finding[] {
  const path = ['published', 'base']
  const found = findTable(published)
  const [base, ...others] = rows.filter((row) => isAt(row, published.base))
  if (base === undefined || 'issues' in found) return []
  if (others.length > 0) return oneFinding(path, `${others.length + 1} rows match: select one by more parameters`)
  if (findPublishedRow(base, published, found) !== null) return []
  const columns = published.rows.map(({ column }) => `"${column}"`).join(' and ')
  return oneFinding(
    path,
    `the base row "${base.label}" is not published: compare its parameters with the cells under ${columns}`,
  )
}
