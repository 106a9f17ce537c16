import { type ReportPart } from '../../src/report/sections.ts'
import { type DocumentSection } from '../../src/document/update-document.ts'

/** Parts by their keys, with headings made of them; "measured" and "doubts" stand without. */
export const aSection = (name: string, texts: Readonly<Record<string, string>>, sha256 = 'a1'): DocumentSection => ({
  section: { name, title: `About ${name}`, parts: Object.entries(texts).map(partOf) },
  source: { path: `results/${name}/result.json`, sha256 },
  measured: { measured: '2026-11-20', version: '0.1.0' },
})

const partOf = ([key, text]: readonly [string, string]): ReportPart => ({
  key,
  title: key === 'measured' || key === 'doubts' ? null : `The ${key}`,
  text,
})
