import type { Series } from '../../metrics/columns/column.ts'
import { barNumber } from '../charts/scales.ts'
import type { OperationLine, TimeLine } from '../html/page-data.ts'
import { button, choice, colourAt, element } from './element.ts'
import { heatMap } from './heat-map.ts'
import { lineSwitches } from './line-switches.ts'
import { type PanelLine, type TimePanel, timePanel, unsentArea } from './time-panel.ts'
import type { TimeWindow } from './time-window.ts'
import { valuesTable } from './values-table.ts'

/** Panels over one time axis: what one of them shows or is pointed at, the others show too. */
export function showTimeAxes(place: HTMLElement, timeLines: readonly TimeLine[], view: TimeWindow): void {
  const panels = element('div', { class: 'panels' })
  const show = (index: number): void => {
    const timeLine = timeLines[index]
    if (timeLine === undefined) return
    panels.replaceChildren(...createContent(timeLine, view))
  }
  const select = choice(
    'Row, run and phase',
    timeLines.map(({ label }) => label),
    show,
  )
  place.append(...(select === null ? [] : [select]), toolbar(view), panels)
  show(0)
}

/** Creates controls for what can be done with the mouse. */
function toolbar(view: TimeWindow): HTMLElement {
  const pointer = element('input', { type: 'range', min: '0', max: '1000', value: '0' })
  pointer.addEventListener('input', () => {
    const { from, to } = view.range()
    const second = from + ((to - from) * Number(pointer.value)) / 1000
    pointer.setAttribute('aria-valuetext', `${barNumber(second)} seconds`)
    view.lookAt(second)
  })
  return element(
    'div',
    { class: 'toolbar', role: 'group', 'aria-label': 'What part of the time is shown' },
    button('Zoom in', () => view.zoomBy(0.5)),
    button('Zoom out', () => view.zoomBy(2)),
    button('Earlier', () => view.moveBy(-0.5)),
    button('Later', () => view.moveBy(0.5)),
    button('Whole time', view.showAll),
    element('label', { class: 'pointer' }, 'Read at ', pointer),
  )
}

function createContent(timeLine: TimeLine, view: TimeWindow): readonly HTMLElement[] {
  view.extendTo(timeLine.end)
  const { operations } = timeLine
  const shownPanels: { readonly panel: TimePanel; readonly ofOperations: boolean }[] = []
  const panelOf = (
    title: string,
    lines: readonly PanelLine[],
    scale: 'linear' | 'logarithmic',
    ofOperations: boolean,
  ): HTMLElement => {
    const panel = timePanel({
      title,
      lines,
      scale,
      timeLine,
      view,
      isFirst: shownPanels.length === 0,
      isShown: ofOperations ? (line) => line.operation === undefined || switches.isShown(line.operation) : () => true,
    })
    shownPanels.push({ panel, ofOperations })
    return panel.place
  }
  const switches = lineSwitches(
    operations.map(({ name }, index) => ({ label: name, sample: () => colourAt(index) })),
    {
      shownFirst: Infinity,
      onChange: () => shownPanels.forEach(({ panel, ofOperations }) => ofOperations && panel.draw()),
    },
  )
  const latency = timeLine.isFromPlan
    ? 'Response time from the planned start (ms): p50 solid, p99 dashed'
    : 'Latency (ms): p50 solid, p99 dashed'
  const hasErrors = operations.some(({ errors }) => errors.some((value) => (value ?? 0) > 0))
  const each =
    timeLine.step === 1
      ? []
      : [
          element(
            'p',
            { class: 'caption' },
            `Each point covers ${timeLine.step} seconds: the mean rate, and the highest p50, p99 and maximum of its seconds.`,
          ),
        ]
  return [
    ...(switches.group === null ? [] : [switches.group]),
    panelOf('Throughput (ops/s)', createThroughputLines(timeLine), 'linear', true),
    panelOf(latency, createLatencyLines(operations), 'logarithmic', true),
    heatMap(timeLine, view),
    hasErrors
      ? panelOf(
          'Errors (per second)',
          operations.map(({ name, errors }, index) => ({
            label: name,
            values: errors,
            colour: index,
            operation: index,
          })),
          'linear',
          true,
        )
      : element('p', { class: 'caption' }, 'No operation failed, and none has an unknown outcome.'),
    ...timeLine.panels.map(({ title, lines }) =>
      panelOf(
        title,
        lines.map((line, index) => ({ ...line, colour: index })),
        'linear',
        false,
      ),
    ),
    ...each,
    secondsTable(timeLine),
  ]
}

function createThroughputLines({ operations, unsent }: TimeLine): readonly PanelLine[] {
  const lines = operations.map(({ name, ok }, index) => ({ label: name, values: ok, colour: index, operation: index }))
  const all = { label: 'all operations', values: sumThroughput(operations), colour: null, isStrong: true } as const
  return [...(operations.length < 2 ? [] : [all]), ...lines, ...(unsent === undefined ? [] : [unsentArea(unsent)])]
}

const sumThroughput = (operations: readonly OperationLine[]): PanelLine['values'] =>
  (operations[0]?.ok ?? []).map((_, second) =>
    operations.every(({ ok }) => (ok[second] ?? null) === null)
      ? null
      : operations.reduce((total, { ok }) => total + (ok[second] ?? 0), 0),
  )

const createLatencyLines = (operations: readonly OperationLine[]): readonly PanelLine[] =>
  operations.flatMap(({ name, p50, p99 }, index) => [
    { label: `${name} p50`, values: p50, colour: index, operation: index },
    { label: `${name} p99`, values: p99, colour: index, operation: index, isDashed: true },
  ])

/** Everything that the panels draw as a table, made when it is opened. */
function secondsTable(timeLine: TimeLine): HTMLElement {
  const { operations, unsent, panels, step, end } = timeLine
  const columns: readonly { readonly title: string; readonly values: Series }[] = [
    ...operations.flatMap(({ name, ok, p50, p99, max, errors }) => [
      { title: `${name} ops/s`, values: ok },
      { title: `${name} p50 ms`, values: p50 },
      { title: `${name} p99 ms`, values: p99 },
      { title: `${name} max ms`, values: max },
      { title: `${name} errors/s`, values: errors },
    ]),
    ...(unsent === undefined ? [] : [{ title: 'due, not sent /s', values: unsent }]),
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
