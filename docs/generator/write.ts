import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { readResult } from '../../src/results/files/results-file.ts'
import { withBlocks } from './blocks.ts'
import { completionScripts } from './completion/shells.ts'
import { byHand, renderPages } from './index.ts'
import { renderManPage } from './man-page.ts'
import { drawTerminal } from './terminal-picture.ts'

const root = new URL('../../', import.meta.url)
const docs = new URL('docs/', root)
const completion = new URL('fixtures/completion/', root)

const pages = renderPages((path) => readFileSync(new URL(path, root), 'utf8'))
mkdirSync(docs, { recursive: true })
mkdirSync(completion, { recursive: true })
for (const [file, text] of pages) writeFileSync(new URL(file, docs), text)
writeFileSync(new URL('mongo-perf.1', docs), renderManPage())
const quickstart = await readResult(new URL('fixtures/results/quickstart/result.json', root).pathname)
writeFileSync(
  new URL('fixtures/pictures/terminal.svg', root),
  drawTerminal('npx mongo-perf run quickstart', quickstart),
)
for (const [file, text] of Object.entries(await completionScripts())) writeFileSync(new URL(file, completion), text)
for (const file of ['../README.md', ...byHand.map((page) => page.file)]) {
  const place = new URL(file, docs)
  writeFileSync(place, await withBlocks(readFileSync(place, 'utf8')))
}
