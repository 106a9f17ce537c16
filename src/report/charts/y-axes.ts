import { Problem } from '../../errors.ts'
import { type Address, parseAddress } from '../address.ts'
import { columnOf, isMeasure } from '../columns.ts'
import { type FullReportSpec } from '../report-spec.ts'
import { type ChartSpec, type TableRows } from '../schema.ts'
import { type Shape } from '../scope.ts'
import { type Line, type YAxis } from './picture.ts'
import { scaleFor } from './scales.ts'

export const maxUnits = 2

/** For an axis of several measures, where the unit alone would read oddly. */
const titlesOfUnits: Readonly<Record<string, string>> = {
  ms: 'Time (ms)',
  s: 'Time (s)',
  '%': 'Share (%)',
  '': 'Count',
}

/** Something that is drawn: its address, its name in a legend, and the axis of its unit. */
export type Measured = {
  readonly address: Address
  readonly heading: string
  /** The heading, with the place where another one has the same. */
  readonly title: string
  readonly axis: number
}

export function measuredOf(
  names: readonly string[],
  spec: FullReportSpec,
  shape: Shape,
  rows: TableRows,
): readonly Measured[] {
  const addresses = names.map((name) => parseAddress(name, shape, rows))
  const units = unitsOf(names)
  if (units.length > maxUnits) {
    throw new Problem(
      'spec-invalid',
      `A chart of the report draws ${names.join(', ')}, which have ${units.length} units`,
      {
        hint: 'Draw at most two units in one chart, and the others in a chart of their own.',
      },
    )
  }
  return addresses.map((address, index) => {
    const column = columnOf(address.measure)
    const twins = addresses.filter(({ measure }) => measure === address.measure)
    const place = (names[index] ?? '').split('.').slice(0, -1).join('.')
    const heading = headingOf(spec, names[index] ?? '', address)
    const title = twins.length < 2 || place === '' ? heading : `${place}: ${heading}`
    return { address, heading, title, axis: units.indexOf(column.unit) }
  })
}

export function measuredTitle(measured: readonly Measured[]): string {
  return [...new Set(measured.map(({ heading }) => heading))].join(' and ')
}

/** What the report calls a measure: the heading of its column, else its usual one. */
function headingOf({ tables }: FullReportSpec, name: string, { measure }: Address): string {
  const columns = tables.flatMap((table) => table.columns)
  const titled = columns.find(
    // The heading of a column that reads another row says which.
    (column) => typeof column === 'object' && 'metric' in column && column.metric === name && column.at === undefined,
  )
  return typeof titled === 'object' && titled.title ? titled.title : columnOf(measure).title
}

/** The units of these addresses, in order, for as far as they are known. */
export function unitsOf(names: readonly string[]): readonly string[] {
  const units = names.flatMap((name) => {
    const measure = name.slice(name.lastIndexOf('.') + 1)
    return isMeasure(measure) ? [columnOf(measure).unit] : []
  })
  return [...new Set(units)]
}

/** One axis for each unit, titled after what it carries. */
export function yAxes(
  measured: readonly Measured[],
  lines: readonly Line[],
  scale: ChartSpec['scale'],
): readonly YAxis[] {
  return [...new Set(measured.map(({ axis }) => axis))].map((axis) => {
    const carried = measured.filter((one) => one.axis === axis)
    const values = lines
      .filter((line) => line.axis === axis)
      .flatMap(({ points }) => points.flatMap(({ y }) => y ?? []))
    const [first] = carried
    const unit = first === undefined ? '' : columnOf(first.address.measure).unit
    const titles = new Set(carried.map(({ heading }) => heading))
    return {
      title: titles.size === 1 ? [...titles].join() : (titlesOfUnits[unit] ?? unit),
      unit,
      scale: scaleFor(values, scale),
    }
  })
}
