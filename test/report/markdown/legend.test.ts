import { expect, test } from 'vitest'
import { createMarkdownLegend } from '../../../src/report/markdown/render.ts'

const termsIn = (text: string): readonly string[] =>
  createMarkdownLegend(text)
    .split('\n')
    .map((line) => /^- (\w+)/.exec(line)?.[1] ?? '')

test.each([
  ['| Batch | Speed (MB/s) |', ['KB']],
  ['| ≥ 64 (lower bound) | Data (MB) |', ['Trust', 'KB']],
  ['| ✗ 64 (do not compare)   |', ['Trust']],
  ['| Batch | Limited by |', ['Limited']],
  ['| Cache | 256 MB |', ['']],
])('%s needs the definitions of %j', (text, terms) => expect(termsIn(text)).toEqual(terms))
