import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { renderPages } from './index.ts'

const root = new URL('../../', import.meta.url)
const docs = new URL('docs/', root)

const pages = renderPages((path) => readFileSync(new URL(path, root), 'utf8'))
mkdirSync(docs, { recursive: true })
for (const [file, text] of pages) writeFileSync(new URL(file, docs), text)
