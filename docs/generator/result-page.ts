import { code, paragraphs, table } from './markdown.ts'
import { type Page } from './page.ts'
import { operationFields, phaseFields, resultFields, variantFields } from './result-fields.ts'

const section = (heading: string, meanings: Readonly<Record<string, string>>): string =>
  paragraphs(
    `## ${heading}`,
    table(
      ['Field', 'Content'],
      Object.entries(meanings).map(([name, meaning]) => [code(name), meaning]),
    ),
  )

const renderResult = (): string =>
  paragraphs(
    'A run writes `mongo-perf-results/<name of the spec>/result.json` after every row. Tables, charts and CSV are made from this file alone, at any time: `mongo-perf report`. ' +
      'It is plain JSON, equal to the return value of `run` in the library. It contains no URI and no password.',
    'Names end with their unit (`Ms`, `Seconds`, `MB`, `Percent`). MB is 1024 × 1024 bytes. The package has a JSON Schema of it, `mongo-perf/result.schema.json`.',
    'The file of a compact result stores values that rows have in common once, in the list `shared`; `{"@shared": 3}` refers to index 3. `readResult` of the library resolves the references.',
    section('result', resultFields),
    section('variants[]', variantFields),
    section('variants[].phases[]', phaseFields),
    section('variants[].phases[].operations[]', operationFields),
  )

/** `docs/result.md`. */
export const resultPage: Page = {
  file: 'result.md',
  title: 'The result file',
  summary: 'The fields of `result.json`.',
  render: renderResult,
}
