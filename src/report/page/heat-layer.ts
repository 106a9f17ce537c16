import { type Chart, type Scale } from 'chart.js'
import { type TimeLine } from '../html/page-data.ts'
import { element } from './element.ts'
import { type HeatCell } from './heat-cells.ts'
import { heatColours } from './heat-colours.ts'

/** Wider cells have a gap of a pixel between them. */
const widthWithGap = 8

/**
 * Draws cells on a chart. Drawn anew only where its axes have changed: an hour has tens of thousands of cells, and each move of
 * the pointer draws the chart.
 * @param highest The highest density.
 */
export function heatLayer(cells: readonly HeatCell[], timeLine: TimeLine, highest: number): (chart: Chart) => void {
  const layer = element('canvas')
  let drawnFor = ''
  return ({ id, ctx, chartArea, scales, currentDevicePixelRatio: ratio }) => {
    const [x, y, brush] = [scales['x'], scales['y'], layer.getContext('2d')]
    if (x === undefined || y === undefined || brush === null) return
    const [left, top] = [Math.round(chartArea.left), Math.round(chartArea.top)]
    const wanted = [id, x.min, x.max].join(' ')
    if (wanted !== drawnFor) {
      drawnFor = wanted
      Object.assign(layer, { width: chartArea.width * ratio, height: chartArea.height * ratio })
      brush.scale(ratio, ratio)
      brush.translate(-left, -top)
      drawCells(brush, { x, y }, { cells, timeLine, highest })
    }
    ctx.drawImage(layer, left, top, layer.width / ratio, layer.height / ratio)
  }
}

// Between cells that touch within a pixel, the ground would shine through.
const pixelOf = (axis: Scale, value: number): number => Math.round(axis.getPixelForValue(value))

type Drawn = { readonly cells: readonly HeatCell[]; readonly timeLine: TimeLine; readonly highest: number }

function drawCells(
  brush: CanvasRenderingContext2D,
  { x, y }: { readonly x: Scale; readonly y: Scale },
  { cells, timeLine: { step, end }, highest }: Drawn,
): void {
  const colourOf = heatColours()
  for (const { index, low, high, density } of cells) {
    const left = pixelOf(x, index * step)
    const width = pixelOf(x, Math.min(end, (index + 1) * step)) - left
    const top = pixelOf(y, high)
    brush.fillStyle = colourOf(density / highest)
    brush.fillRect(left, top, Math.max(1, width > widthWithGap ? width - 1 : width), Math.max(1, pixelOf(y, low) - top))
  }
}
