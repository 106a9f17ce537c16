import { type Chart } from 'chart.js'

/** Fills what is between a line and the lower end of its axis. The plugin of Chart.js does more, for 8 KB in each page. */
export function fillBelow(chart: Chart, dataset: number, fill: string): void {
  const { ctx, chartArea } = chart
  const { data, yScale } = chart.getDatasetMeta(dataset)
  const { top, bottom } = yScale ?? chartArea
  const known = data.filter((point) => !('skip' in point && point.skip === true))
  ctx.save()
  ctx.beginPath()
  ctx.rect(chartArea.left, top, chartArea.right - chartArea.left, bottom - top)
  ctx.clip()
  ctx.beginPath()
  ctx.moveTo(known[0]?.x ?? 0, bottom)
  for (const { x, y } of known) ctx.lineTo(x, y)
  ctx.lineTo(known.at(-1)?.x ?? 0, bottom)
  ctx.fillStyle = fill
  ctx.fill()
  ctx.restore()
}
