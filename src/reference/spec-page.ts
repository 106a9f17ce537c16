import { printSpec } from '../schema/print-spec.ts'
import { type Json } from '../json.ts'
import { toSchema } from '../schema/editor-schema.ts'
import { forms } from '../language/expression.ts'
import { reportKeywords } from '../language/report-keywords.ts'
import { specSchema } from '../schema/schema.ts'
import { fieldTable } from './fields.ts'
import { code, jsonBlock, paragraphs, table } from './markdown.ts'
import { type Page, type ReadText } from './page.ts'
import { createSections, renderSection, type Section } from './sections.ts'

const example = 'fixtures/specs/quickstart.json'

/** What has a page of its own. */
const elsewhere: Readonly<Record<string, string>> = {
  'phases[].operations': '[list of operations](operations.md), at least 1',
  'phases[].faults': '[list of faults](faults.md)',
  checks: '[list of checks](checks.md)',
}

/** Every field of a spec that has no page of its own. */
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
    'A spec is one JSON file; comments and trailing commas are accepted. `mongo-perf check` tells everything that is wrong with one, without a server. ' +
      'With `"$schema": "./node_modules/mongo-perf/fixtures/spec.schema.json"` in it, an editor completes and checks it as you type.',
    'An example, which ships as `quickstart`:',
    jsonBlock(printSpec(JSON.parse(read(example)) as Json)),
    '## Fields of a spec',
    fieldTable(whole?.fields ?? []),
    '## Expressions',
    'An object whose only key begins with `@` is an expression: a [function](functions.md), a [generator](generators.md), or one of the words below. ' +
      'What depends on parameters alone may stand anywhere but in a `kind`, in `$schema`, `name`, `seed`, `repeat`, and is computed when the plan is made. ' +
      'What is drawn or looked up later may stand only where the type is *value*: Extended JSON that is sent to the server. ' +
      'Where it is *expression*, it is computed from what was measured, when the report is made.',
    table(
      ['Word', 'Meaning'],
      [...forms, ...reportKeywords].map(({ keyword, summary }) => [code(keyword), summary]),
    ),
    'Every item of a list of the spec may have `"when"`: false takes it away. `null` for a field that may be left out means that it is not given; inside of values it is null.',
    '## Parts of the spec',
    'Headings are paths: `phases[].load` is the field `load` of each item of `phases`. Where there are several kinds, the kind follows.',
    ...parts.map((part) => renderSection(part, '###')),
  )
}

export const specPage: Page = {
  file: 'spec.md',
  title: 'The spec',
  summary: 'Every field of a spec: target, data, phases, load, thresholds, report.',
  render: renderSpec,
}
