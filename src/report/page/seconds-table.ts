import { barNumber } from '../charts/scales.ts'
import { type Series } from '../../metrics/columns/column.ts'
import { type TimeLine } from '../html/page-data.ts'
import { valuesTable } from './values-table.ts'

/** Everything that the panels draw as a table, made when it is opened. */
export function secondsTable(timeLine: TimeLine): HTMLElement {
  const { operations, panels, step, end } = timeLine
  const columns: readonly { readonly title: string; readonly values: Series }[] = [
    ...operations.flatMap(({ name, ok, p50, p99, max, errors }) => [
      { title: `${name} ops/s`, values: ok },
      { title: `${name} p50 ms`, values: p50 },
      { title: `${name} p99 ms`, values: p99 },
      { title: `${name} max ms`, values: max },
      { title: `${name} errors/s`, values: errors },
    ]),
    ...panels.flatMap(({ title, lines }) => lines.map(({ label, values }) => ({ title: `${title} ${label}`, values }))),
  ]
  return valuesTable('Values over time', ['Second', ...columns.map(({ title }) => title)], () =>
    Array.from({ length: Math.ceil(end / step) }, (_, index) => [
      barNumber(index * step),
      ...columns.map(({ values }) => numberOrNothing(values[index] ?? null)),
    ]),
  )
}

const numberOrNothing = (value: number | null): string => (value === null ? '' : barNumber(value))
