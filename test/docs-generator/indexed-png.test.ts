import { readdirSync, readFileSync } from 'node:fs'
import { createCanvas, loadImage } from '@napi-rs/canvas'
import { expect, test } from 'vitest'
import { indexedPng, isIndexed, type Pixels } from '../../docs/generator/indexed-png.ts'

const imageOf = (
  width: number,
  height: number,
  colourAt: (at: number) => readonly [number, number, number],
): Pixels => ({
  width,
  height,
  data: Uint8ClampedArray.from(Array.from({ length: width * height }, (_, at) => [...colourAt(at), 255]).flat()),
})

async function decoded(image: Pixels): Promise<Uint8ClampedArray> {
  const picture = await loadImage(indexedPng(image))
  const context = createCanvas(picture.width, picture.height).getContext('2d')
  context.drawImage(picture, 0, 0)
  return context.getImageData(0, 0, picture.width, picture.height).data
}

test('an image of few colours is stored exactly', async () => {
  const image = imageOf(7, 5, (at) => [at * 7, 255 - at, (at * 31) % 256])
  expect(await decoded(image)).toEqual(image.data)
})

test('an image of many colours keeps its frequent ones exactly, and is close to the others', async () => {
  const image = imageOf(100, 100, (at) => (at < 8000 ? [0, 0x72, 0xb2] : [at % 256, (at >> 3) % 256, 100]))
  const pixels = await decoded(image)
  expect(pixels.subarray(0, 4 * 8000)).toEqual(image.data.subarray(0, 4 * 8000))
  const worst = pixels.reduce((max, value, index) => Math.max(max, Math.abs(value - (image.data[index] ?? 0))), 0)
  expect(worst).toBeLessThan(32)
})

test('every picture of a stored result has a palette', () => {
  const folder = 'fixtures/results'
  const pictures = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.png'))
  expect(pictures.length).toBeGreaterThan(10)
  const large = pictures.filter((file) => !isIndexed(readFileSync(`${folder}/${file}`)))
  expect(large, 'run `npm run shrink`').toEqual([])
})
