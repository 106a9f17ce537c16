import { type Json } from '../../src/core/json.ts'
import { forms, reportKeywords } from '../../src/language/expression.ts'
import { printSpec } from '../../src/spec/parse/print-spec.ts'
import { specSchema } from '../../src/spec/schema/schema.ts'
import { toSchema } from './editor/editor-schema.ts'
import { fieldTable } from './fields.ts'
import { code, jsonBlock, paragraphs, table } from './markdown.ts'
import { type Page, type ReadText } from './page.ts'
import { createSections, renderSection, type Section } from './sections.ts'

const example = 'fixtures/specs/quickstart.json'

/** Parts with a page of their own. */
const elsewhere: Readonly<Record<string, string>> = {
  'phases[].operations': '[list of operations](operations.md), at least 1',
  'phases[].faults': '[list of faults](faults.md)',
  checks: '[list of checks](checks.md)',
}

/** The fields of a spec, except the parts with a page of their own. */
export function specSections(): readonly Section[] {
  const sections = createSections({
    titleOf: (path) => path,
    elsewhere: (path) => elsewhere[path],
  })
  const fields = sections.fieldsOf(toSchema(specSchema), '')
  return [{ title: 'Fields of a spec', intro: '', fields }, ...sections.found()]
}

function renderSpec(read: ReadText): string {
  const [whole, ...parts] = specSections()
  return paragraphs(
    'Specs are JSON with comments (JSONC). `mongo-perf check` lists all issues of a spec, without a server. ' +
      'For completion and validation in an editor, add `"$schema": "./node_modules/mongo-perf/fixtures/spec.schema.json"`, or [set up VS Code](vs-code.md).',
    'The shipped spec `quickstart`:',
    jsonBlock(printSpec(JSON.parse(read(example)) as Json)),
    '## Fields of a spec',
    fieldTable(whole?.fields ?? []),
    '## Expressions',
    'An object whose only key begins with `@` is an expression: a [function](functions.md), a [generator](generators.md), or one of the keywords below. ' +
      'Expressions that depend only on parameters are allowed everywhere except in `kind`, `$schema`, `name`, `seed` and `repeat`. They are evaluated when the plan is made. ' +
      'Expressions that draw or look up values are allowed only where the type is *value*: Extended JSON that is sent to the server. ' +
      'Where the type is *expression*, they are evaluated on the measured figures when the report is made.',
    table(
      ['Keyword', 'Meaning'],
      [...forms, ...reportKeywords].map(({ keyword, summary }) => [code(keyword), summary]),
    ),
    'Every item of a list in the spec may have `"when"`: false removes it. `null` for an optional field means that it is absent; inside of values it is null.',
    '## Parts of the spec',
    'Headings are paths: `phases[].load` is the field `load` of each item of `phases`. If there are several kinds, the kind follows.',
    ...parts.map((part) => renderSection(part, '###')),
  )
}

/** `docs/spec.md`. */
export const specPage: Page = {
  file: 'spec.md',
  title: 'The spec',
  summary: 'Every field of a spec: target, data, phases, load, thresholds, report.',
  render: renderSpec,
}
