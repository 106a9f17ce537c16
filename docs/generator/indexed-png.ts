import { crc32, deflateSync } from 'node:zlib'

/** Pixels as a canvas has them: red, green, blue and opacity, which is ignored. */
export type Pixels = {
  readonly data: Uint8ClampedArray
  readonly width: number
  readonly height: number
}

/** Whether a PNG has a palette: the colour type in its header is 3. */
export const isIndexed = (png: Uint8Array): boolean => png[25] === 3

const maxColours = 256
/** Bits of each channel by which colours count as about equal. */
const bits = 5

/**
 * Pixels as a PNG with at most 256 colours, a third as large as with all of them: charts have few colours, and the steps between
 * them at the edges of letters and lines.
 */
export function indexedPng({ data, width, height }: Pixels): Buffer {
  const pixels = new Uint32Array(data.buffer, data.byteOffset, width * height)
  const colours = choosePalette(pixels)
  const palette = colours.map(splitChannels)
  const indexes = new Map(colours.map((colour, index) => [colour, index]))
  const rows = Buffer.alloc((width + 1) * height)
  // Each row begins with its filter: none.
  forEachRun(pixels, width, (colour, from, to) => {
    const index = indexes.get(colour) ?? nearest(colour, palette)
    indexes.set(colour, index)
    const row = Math.floor(from / width) + 1
    rows.fill(index, from + row, to + row)
  })
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 3, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flat())),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** Visits neighbours of one colour together, as nearly all pixels of a chart are its ground. Runs end with their row. */
function forEachRun(
  pixels: Uint32Array,
  width: number,
  visit: (colour: number, from: number, to: number) => void,
): void {
  let from = 0
  for (let to = 1; to <= pixels.length; to++) {
    const colour = pixels[from] ?? 0
    if (to % width !== 0 && pixels[to] === colour) continue
    visit(colour, from, to)
    from = to
  }
}

/** The most frequent colours, each the most frequent of those that are about equal to it. */
function choosePalette(pixels: Uint32Array): readonly number[] {
  const counts = new Map<number, number>()
  forEachRun(pixels, pixels.length, (colour, from, to) => counts.set(colour, (counts.get(colour) ?? 0) + to - from))
  const sorted = [...counts].toSorted(([, one], [, other]) => other - one).map(([colour]) => colour)
  if (sorted.length <= maxColours) return sorted
  const groups = new Map<string, number>()
  for (const colour of sorted) {
    const group = splitChannels(colour)
      .map((channel) => channel >> (8 - bits))
      .join(' ')
    if (!groups.has(group)) groups.set(group, colour)
  }
  return [...groups.values()].slice(0, maxColours)
}

function nearest(colour: number, palette: readonly (readonly number[])[]): number {
  const channels = splitChannels(colour)
  const distances = palette.map((other) => distance(channels, other))
  return distances.indexOf(Math.min(...distances))
}

const distance = (
  [red = 0, green = 0, blue = 0]: readonly number[],
  [r = 0, g = 0, b = 0]: readonly number[],
): number => (red - r) ** 2 + (green - g) ** 2 + (blue - b) ** 2

/** Red, green and blue of four bytes that were read as one number. */
const splitChannels = (colour: number): readonly number[] => [
  colour & 0xff,
  (colour >> 8) & 0xff,
  (colour >> 16) & 0xff,
]

function chunk(name: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), content])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(content.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}
