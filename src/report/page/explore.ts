import { looks } from '../charts/drawing/look.ts'
import { type PageData, type PercentileLine } from '../html/page-data.ts'
import { showDownloads } from './downloads.ts'
import { showPercentiles } from './percentiles.ts'
import { showRunPoints } from './run-points.ts'
import { showSpec } from './spec-text.ts'
import { showTimeAxes } from './time-axes.ts'
import { timeWindow, type TimeWindow } from './time-window.ts'
import { unpack } from './unpack.ts'

const parts: Readonly<Record<string, (place: HTMLElement, data: PageData, view: TimeWindow) => void>> = {
  time: (place, { timeLines }, view) => showTimeAxes(place, timeLines, view),
  percentiles: (place, { percentiles }) => showPercentiles(place, percentiles),
  runs: (place, { runPoints }, { scales }) => showRunPoints(place, runPoints, scales),
  spec: (place, { spec }) => showSpec(place, spec),
  files: (place, { files }) => showDownloads(place, files),
}

/** Fills the parts of a page that are drawn of packed data. Results side by side show the same part of their times. */
export async function setUpExploring(root: ParentNode): Promise<void> {
  const results = [...root.querySelectorAll<HTMLElement>('article[data-result]')]
  const alone = results.filter((result) => result.closest('[data-beside]') === null)
  await Promise.all([
    ...alone.map((result) => fill(result, timeWindow())),
    ...[...root.querySelectorAll<HTMLElement>('[data-beside]')].map(fillPair),
  ])
}

async function fillPair(pair: HTMLElement): Promise<void> {
  const view = timeWindow()
  const sides: Side[] = []
  for (const result of pair.querySelectorAll<HTMLElement>('article[data-result]'))
    sides.push({ side: result.dataset['side'] ?? '', data: await fill(result, view) })
  const place = pair.querySelector<HTMLElement>('[data-overlay]')
  const lines = overlaid(sides)
  if (place === null) return
  if (lines.length === 0) place.remove()
  else showPercentiles(place, lines)
}

type Side = { readonly side: string; readonly data: PageData }

/** The lines of both sides, each beside that of the other: with one colour, and the second dashed. */
function overlaid(sides: readonly Side[]): readonly (PercentileLine & { readonly style: number })[] {
  const labels = [...new Set(sides.flatMap(({ data }) => data.percentiles.map(({ label }) => label)))]
  return labels.flatMap((label, index) =>
    sides.flatMap(({ side, data }, round) =>
      data.percentiles.flatMap((line) =>
        line.label === label
          ? [{ ...line, label: `${side}: ${label}`, style: (index % seriesCount) + round * seriesCount }]
          : [],
      ),
    ),
  )
}

const seriesCount = looks.light.series.length

async function fill(result: HTMLElement, view: TimeWindow): Promise<PageData> {
  const data = await unpack(result)
  for (const place of result.querySelectorAll<HTMLElement>('[data-explore]'))
    parts[place.dataset['explore'] ?? '']?.(place, data, view)
  return data
}
