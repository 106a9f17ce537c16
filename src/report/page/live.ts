import { type LiveEvent, type LiveSecond, getDisplayedTimes, isLongEnough } from '../../run/live/live-events.ts'
import { barNumber } from '../charts/scales.ts'
import type { TimeLine } from '../html/page-data.ts'
import { element } from './element.ts'
import { timePanel, unsentArea } from './time-panel.ts'
import { timeWindow } from './time-window.ts'

/**
 * Follows a run: shows its newest second, draws the current phase, and takes in the new report whenever a row has ended.
 * @param enhance Adds to a report that was taken in what needs a script.
 */
export function followRun(place: HTMLElement, enhance: (report: ParentNode) => Promise<void>): void {
  const status = element('p', { class: 'status', role: 'status' }, 'connecting')
  const figures = element('dl', { class: 'figures' })
  const panels = element('div', { class: 'panels' })
  place.append(element('h2', {}, 'The run as it goes on'), status, figures, panels)
  let phase = drawnPhase(panels, 'closed')
  const source = new EventSource('events')
  const on = <Kind extends LiveEvent['kind']>(
    kind: Kind,
    take: (event: Extract<LiveEvent, { kind: Kind }>) => void,
  ): void =>
    source.addEventListener(kind, ({ data }) => take(JSON.parse(String(data)) as Extract<LiveEvent, { kind: Kind }>))
  on('specBegins', ({ spec }) => (status.textContent = `${spec} is running`))
  on('phaseBegins', ({ row, phase: name, pass, load }) => {
    status.textContent = whereText(row, name, pass)
    phase = drawnPhase(panels, load)
  })
  on('second', (second) => {
    if (!isLongEnough(second) && phase.hasBegun()) return
    figures.replaceChildren(...createFigures(second))
    phase.add(second)
  })
  on('fault', ({ name, what, atSeconds }) => phase.mark(name, what === 'done' ? 'begins' : 'ends', atSeconds))
  on('row', () => void takeReport(enhance))
  on('specEnds', ({ status: end }) => {
    status.textContent = `The run has ended: ${end}`
    void takeReport(enhance)
  })
  on('end', () => source.close())
}

const whereText = ({ label, number, of }: LiveSecond['row'], phase: string, pass: LiveSecond['pass']): string =>
  [`Row ${number} of ${of}`, label, `phase ${phase}`, pass].filter((part) => part !== '').join(' · ')

function createFigures(second: LiveSecond): readonly HTMLElement[] {
  const { ok, failed, unknown, lengthSeconds, inFlight, servers } = second
  const { name, times } = getDisplayedTimes(second)
  const server = servers.find(({ role }) => role !== 'secondary')
  const cache =
    server?.cacheBytes != null && server.cacheMaxBytes != null ? (100 * server.cacheBytes) / server.cacheMaxBytes : null
  const figures: readonly (readonly [title: string, value: number | null, unit: string])[] = [
    ['Throughput', lengthSeconds > 0 ? ok / lengthSeconds : null, 'ops/s'],
    [`Median ${timeNames[name]}`, times?.p50Ms ?? null, 'ms'],
    [`p99 ${timeNames[name]}`, times?.p99Ms ?? null, 'ms'],
    ['Errors', failed + unknown, ''],
    ['In flight', inFlight, ''],
    ['Server CPU', server?.cpuPercent ?? null, '% of a core'],
    ['Server cache in use', cache, '%'],
  ]
  return figures.map(([title, value, unit]) =>
    element(
      'div',
      {},
      element('dt', {}, title),
      element('dd', {}, value === null ? 'not known' : `${barNumber(value)} ${unit}`),
    ),
  )
}

const timeNames = { latency: 'latency', response: 'response time' } as const

type DrawnPhase = {
  readonly hasBegun: () => boolean
  readonly add: (second: LiveSecond) => void
  readonly mark: (fault: string, what: 'begins' | 'ends', at: number) => void
}

/** Ten minutes; a browser that comes late is sent no more. */
const maxSeconds = 600

function drawnPhase(place: HTMLElement, load: Extract<LiveEvent, { kind: 'phaseBegins' }>['load']): DrawnPhase {
  const view = timeWindow()
  const [rates, p50, p99, errors, cpu, unsent]: (number | null)[][] = [[], [], [], [], [], []]
  const bands: { label: string; from: number; to: number }[] = []
  const timeLine: TimeLine & { end: number } = {
    label: '',
    end: 1,
    step: 1,
    operations: [],
    panels: [],
    bands,
    strips: [],
    isFromPlan: false,
  }
  const panels = [
    {
      title: 'Throughput (ops/s)',
      scale: 'linear',
      lines: [
        { label: 'all operations', values: rates ?? [], colour: 0 },
        ...(load === 'open' ? [unsentArea(unsent ?? [])] : []),
      ],
    },
    {
      title: load === 'open' ? 'Response time from the planned start (ms): p50 and p99' : 'Latency (ms): p50 and p99',
      scale: 'logarithmic',
      lines: [
        { label: 'p50', values: p50 ?? [], colour: 0 },
        { label: 'p99', values: p99 ?? [], colour: 1 },
      ],
    },
    { title: 'Errors (per second)', scale: 'linear', lines: [{ label: 'errors', values: errors ?? [], colour: 1 }] },
    { title: 'Server CPU (% of a core)', scale: 'linear', lines: [{ label: 'CPU', values: cpu ?? [], colour: 2 }] },
  ] as const
  const shown = panels.map((panel, index) =>
    timePanel({ ...panel, timeLine, view, isFirst: index === 0, isShown: () => true }),
  )
  place.replaceChildren(...shown.map((panel) => panel.place))
  return {
    hasBegun: () => (rates ?? []).length > 0,
    add(shownSecond) {
      const { second, ok, failed, unknown, lengthSeconds, servers, openLoop } = shownSecond
      const { times } = getDisplayedTimes(shownSecond)
      if (second < 0 || second >= maxSeconds) return
      const rate = (count: number): number | null => (lengthSeconds > 0 ? count / lengthSeconds : null)
      const server = servers.find(({ role }) => role !== 'secondary')
      const values = [
        rate(ok),
        times?.p50Ms ?? null,
        times?.p99Ms ?? null,
        rate(failed + unknown),
        server?.cpuPercent ?? null,
        openLoop === null ? null : rate(openLoop.dropped),
      ]
      ;[rates, p50, p99, errors, cpu, unsent].forEach((series, index) => {
        if (series !== undefined) series[second] = values[index] ?? null
      })
      timeLine.end = Math.max(timeLine.end, second + 1)
      view.extendTo(timeLine.end)
      for (const { draw } of shown) draw()
    },
    mark(label, what, at) {
      const open = bands.findLast((band) => band.label === label)
      if (what === 'begins') bands.push({ label, from: at, to: at })
      else if (open !== undefined) open.to = at
    },
  }
}

/** Replaces the report and its list of contents by the newest. What was open stays open, and the page where it is. */
async function takeReport(enhance: (report: ParentNode) => Promise<void>): Promise<void> {
  const response = await fetch('./')
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  const now = document.querySelector('[data-report]')
  if (!response.ok || now === null) return
  const open = new Set([...now.querySelectorAll('details[open]')].map(describePlace))
  const [x, y] = [scrollX, scrollY]
  for (const part of ['nav.contents', '[data-report]']) takePart(part, page)
  await enhance(now)
  for (const details of now.querySelectorAll('details')) details.open = open.has(describePlace(details))
  scrollTo(x, y)
}

function takePart(selector: string, from: Document): void {
  const next = from.querySelector(selector)
  if (next !== null)
    document
      .querySelector(selector)
      ?.replaceChildren(...[...next.childNodes].map((node) => document.importNode(node, true)))
}

/** Identifies what a disclosure is about: its section and its summary. */
const describePlace = (details: Element): string =>
  `${details.closest('[id]')?.id ?? ''} ${details.querySelector('summary')?.textContent ?? ''}`
