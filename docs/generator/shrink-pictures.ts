import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { createCanvas, loadImage } from '@napi-rs/canvas'
import { indexedPng, isIndexed } from './indexed-png.ts'

/** Rewrites the pictures of stored results with a palette, a third as large: they are part of every clone. */
const folder = path.resolve(import.meta.dirname, '../../fixtures/results')
for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
  if (!file.endsWith('.png')) continue
  const picture = path.join(folder, file)
  const png = readFileSync(picture)
  if (isIndexed(png)) continue
  const image = await loadImage(png)
  const context = createCanvas(image.width, image.height).getContext('2d')
  context.drawImage(image, 0, 0)
  const small = indexedPng(context.getImageData(0, 0, image.width, image.height))
  writeFileSync(picture, small)
  process.stdout.write(`${file}: ${png.length} → ${small.length} bytes\n`)
}
