import { measureIn } from '../address.ts'
import { checkMeasure, fault, type ReportFault } from '../check-expression.ts'
import { columnOf, isMeasure } from '../columns.ts'
import { type Named, parameterFaults } from '../parameters.ts'
import { type PublishedSpec, type ReportSpec } from '../schema.ts'
import { type Shape } from '../scope.ts'
import { isAt } from '../siblings.ts'
import { findTable } from './find-table.ts'
import { publishedRowOf } from './match.ts'

/** What is wrong with what a report compares its rows with. */
export function checkPublished(
  { published }: ReportSpec,
  shape: Shape,
  parameters: readonly string[],
): readonly ReportFault[] {
  if (published === undefined) return []
  const found = findTable(published)
  return [
    ...('faults' in found ? found.faults : []),
    ...checkFigures(published.metric, shape),
    ...published.rows.flatMap(({ parameter }, index) =>
      parameterFaults(['published', 'rows', index, 'parameter'], parameter, parameters),
    ),
  ]
}

function checkFigures(metric: string, shape: Shape): readonly ReportFault[] {
  const path = ['published', 'metric']
  const measure = measureIn(metric)
  if (isMeasure(measure) && columnOf(measure).isWord)
    return fault(path, `"${measure}" is a word, and figures are compared`)
  return checkMeasure(metric, path, shape, 'variants')
}

/** Whether "base" names one row, of those that are here, and a published one. */
export function checkBase(published: PublishedSpec, rows: readonly Named[]): readonly ReportFault[] {
  const path = ['published', 'base']
  const found = findTable(published)
  const [base, ...others] = rows.filter((row) => isAt(row, published.base))
  if (base === undefined || 'faults' in found) return []
  if (others.length > 0) return fault(path, `${others.length + 1} rows are so: say which one, by more parameters`)
  if (publishedRowOf(base, published, found) !== null) return []
  const columns = published.rows.map(({ column }) => `"${column}"`).join(' and ')
  return fault(
    path,
    `no published row is that of the base row "${base.label}": compare it with the cells under ${columns}`,
  )
}
