import { type Section } from '../../../src/report/blocks/block.ts'
import { type DocumentSection } from '../../../src/report/document/update-document.ts'

/** What a part consists of, or the Markdown that someone wrote there. */
type Content = string | Section['blocks']

/** Parts by their keys, with headings made of them; "measured" and "doubts" stand without. */
export const aSection = (
  name: string,
  contents: Readonly<Record<string, Content>>,
  sha256 = 'a1',
): DocumentSection => ({
  section: { name, title: `About ${name}`, sections: Object.entries(contents).map(partOf) },
  charts: 'charts',
  source: { path: `results/${name}/result.json`, sha256 },
  measured: { measured: '2026-11-20', version: '0.1.0' },
})

const partOf = ([key, content]: readonly [string, Content]): Section => ({
  key,
  title: key === 'measured' || key === 'doubts' ? null : `The ${key}`,
  blocks: typeof content === 'string' ? [{ kind: 'prose', markdown: content }] : content,
})
