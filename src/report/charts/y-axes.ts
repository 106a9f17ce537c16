import { Problem } from '../../errors.ts'
import { type Address, parseAddress } from '../address.ts'
import { columnOf, isMeasure } from '../columns.ts'
import { type ChartSpec, type TableRows } from '../schema.ts'
import { type Shape } from '../scope.ts'
import { type Line, type YAxis } from './picture.ts'
import { scaleFor } from './scales.ts'

export const mostUnits = 2

/** Something that is drawn: its address, its name in a legend, and the axis of its unit. */
export type Measured = { readonly address: Address; readonly title: string; readonly axis: number }

export function measuredOf(names: readonly string[], shape: Shape, rows: TableRows): readonly Measured[] {
  const addresses = names.map((name) => parseAddress(name, shape, rows))
  const units = unitsOf(names)
  if (units.length > mostUnits) {
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
    const title = twins.length < 2 || place === '' ? column.title : `${place}: ${column.title}`
    return { address, title, axis: units.indexOf(column.unit) }
  })
}

export function measuredTitle(measured: readonly Measured[]): string {
  return [...new Set(measured.map(({ title }) => title))].join(' and ')
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
    const titles = new Set(carried.map(({ address }) => columnOf(address.measure).title))
    return {
      title: titles.size === 1 ? [...titles].join() : unit,
      unit,
      scale: scaleFor(values, scale),
    }
  })
}
