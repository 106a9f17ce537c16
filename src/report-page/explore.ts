import { type PageData } from '../report/html/page-data.ts'
import { showDownloads } from './downloads.ts'
import { showPercentiles } from './percentiles.ts'
import { showRunPoints } from './run-points.ts'
import { showTimeAxes } from './time-axes.ts'
import { showSpec } from './spec-text.ts'
import { timeWindow, type TimeWindow } from './time-window.ts'
import { unpack } from './unpack.ts'

const parts: Readonly<Record<string, (place: HTMLElement, data: PageData, view: TimeWindow) => void>> = {
  time: (place, { timeLines }, view) => showTimeAxes(place, timeLines, view),
  percentiles: (place, { percentiles }) => showPercentiles(place, percentiles),
  runs: (place, { runPoints }) => showRunPoints(place, runPoints),
  spec: (place, { spec }) => showSpec(place, spec),
  files: (place, { files }) => showDownloads(place, files),
}

/** Fills the parts of a page that are drawn of packed data. Results side by side show the same part of their times. */
export function setUpExploring(root: ParentNode): void {
  const common = timeWindow()
  for (const result of root.querySelectorAll<HTMLElement>('article[data-result]')) {
    const view = result.closest('[data-beside]') === null ? timeWindow() : common
    void fill(result, view)
  }
}

async function fill(result: HTMLElement, view: TimeWindow): Promise<void> {
  const data = await unpack(result)
  for (const place of result.querySelectorAll<HTMLElement>('[data-explore]')) parts[place.dataset['explore'] ?? '']?.(place, data, view)
}
