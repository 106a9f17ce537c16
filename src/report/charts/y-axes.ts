import { Problem } from '../../core/errors.ts'
import { type Address, parseAddress } from '../../metrics/address.ts'
import { type Evaluation } from '../../metrics/evaluate.ts'
import { type ChartSpec, type TableRows, type FullReportSpec } from '../../metrics/report-schema.ts'
import { maxUnits, listUnits } from '../../metrics/shown-metrics.ts'
import { type Line, type Point, type YAxis } from './picture.ts'
import { scaleFor } from './scales.ts'

/** Titles of axes with several measures, by unit. */
const titlesOfUnits: ReadonlyMap<string, string> = new Map([
  ['ms', 'Time (ms)'],
  ['s', 'Time (s)'],
  ['%', 'Share (%)'],
  ['', 'Count'],
])

/** A drawn measure: its address, its label in a legend, and its axis. */
export type Measured = {
  readonly address: Address
  readonly heading: string
  /** The heading, with the place if several measures have the same heading. */
  readonly title: string
  readonly axis: number
}

/** The measures that a chart draws, with one axis for each unit. */
export function resolveMeasures(
  names: readonly string[],
  { spec, shape }: Evaluation,
  rows: TableRows,
): readonly Measured[] {
  const addresses = names.map((name) => parseAddress(name, shape, rows))
  const units = listUnits(names, shape)
  if (units.length > maxUnits) {
    throw new Problem(
      'spec-invalid',
      `A chart of the report draws ${names.join(', ')}, which have ${units.length} units`,
      {
        hint: 'Draw at most two units in one chart, and the others in another chart.',
      },
    )
  }
  return addresses.map((address, index) => {
    const twins = addresses.filter(({ metric }) => metric === address.metric)
    const place = (names[index] ?? '').split('.').slice(0, -1).join('.')
    const heading = findMeasureHeading(spec, names[index] ?? '', address)
    const title = twins.length < 2 || place === '' ? heading : `${place}: ${heading}`
    return { address, heading, title, axis: units.indexOf(address.column.unit) }
  })
}

/** The headings of the measures, for the title of a chart. */
export function measuredTitle(measured: readonly Measured[]): string {
  return [...new Set(measured.map(({ heading }) => heading))].join(' and ')
}

/** The heading of a measure: that of a column of the report, else the default. */
function findMeasureHeading({ tables }: FullReportSpec, name: string, { column: measured }: Address): string {
  const columns = tables.flatMap((table) => table.columns)
  const titled = columns.find(
    // A column with `at` names another row in its heading.
    (column) =>
      typeof column === 'object' &&
      'metric' in column &&
      column.metric === name &&
      column.at === undefined &&
      column.show !== 'interval',
  )
  return typeof titled === 'object' && titled.title ? titled.title : measured.title
}

/** One axis for each unit, titled after its measures. */
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
    const unit = first === undefined ? '' : first.address.column.unit
    const titles = new Set(carried.map(({ heading }) => heading))
    return {
      title: titles.size === 1 ? [...titles].join() : (titlesOfUnits.get(unit) ?? unit),
      unit,
      scale: scaleFor(values, scale),
    }
  })
}

/**
 * A line with its label and colour. The series determines the colour if the measures do not need it: with one measure, or
 * with one on each axis. A label contains only what distinguishes the line.
 */
export function createMeasureLine(
  one: Measured,
  all: readonly Measured[],
  series: string,
  look: { readonly dots: boolean; readonly points: readonly Point[] },
): Line {
  const onePerAxis = new Set(all.map(({ axis }) => axis)).size === all.length
  const full = series === '' ? one.title : `${series}, ${one.title}`
  return {
    label: all.length === 1 && all.includes(one) && series !== '' ? series : full,
    colourKey: onePerAxis && series !== '' ? series : full,
    keyOf: series === '' ? 'measure' : 'series',
    axis: one.axis,
    ...look,
  }
}
