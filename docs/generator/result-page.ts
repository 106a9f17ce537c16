import { type Schema } from './editor/share-schemas.ts'
import { code, paragraphs, shortenText, table } from './markdown.ts'
import { type Page } from './page.ts'
import { readSchema } from './result-parts.ts'

const section = (heading: string, part: Schema): string =>
  paragraphs(
    `## ${heading}`,
    table(
      ['Field', 'Content'],
      Object.entries(part['properties'] as Schema).map(([name, field]) => [
        code(name),
        shortenText(String((field as Schema)['description'])),
      ]),
    ),
  )

function renderResult(): string {
  const { $defs, ...result } = readSchema()
  const { VariantResult, PhaseResult, OperationResult } = $defs as Readonly<Record<string, Schema>>
  return paragraphs(
    'A run writes `mongo-perf-results/<name of the spec>/result.json` after every row. `mongo-perf report` makes tables, charts and CSV from this file alone, at any time. ' +
      'The file is plain JSON, equal to the return value of `run` in the library. It contains no URI and no password.',
    'Field names end with the unit (`Ms`, `Seconds`, `MB`, `Percent`). MB is 1024 × 1024 bytes. The JSON Schema, `mongo-perf/result.schema.json`, describes each field in full.',
    'A compact result stores values that rows have in common only once, in the list `shared`; `{"@shared": 3}` refers to index 3. `readResult` of the library resolves the references.',
    section('result', result),
    section('variants[]', VariantResult as Schema),
    section('variants[].phases[]', PhaseResult as Schema),
    section('variants[].phases[].operations[]', OperationResult as Schema),
  )
}

/** `docs/result.md`. */
export const resultPage: Page = {
  file: 'result.md',
  title: 'The result file',
  summary: 'The fields of `result.json`.',
  render: renderResult,
}
