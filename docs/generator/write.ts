import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { withBlocks } from './blocks.ts'
import { byHand, renderPages } from './index.ts'

const root = new URL('../../', import.meta.url)
const docs = new URL('docs/', root)

const pages = renderPages((path) => readFileSync(new URL(path, root), 'utf8'))
mkdirSync(docs, { recursive: true })
for (const [file, text] of pages) writeFileSync(new URL(file, docs), text)
for (const file of ['../README.md', ...byHand.map((page) => page.file)]) {
  const place = new URL(file, docs)
  writeFileSync(place, await withBlocks(readFileSync(place, 'utf8')))
}
