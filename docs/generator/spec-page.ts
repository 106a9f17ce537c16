import { forms, reportKeywords } from '../../src/language/expression.ts'
import { specSchema } from '../../src/spec/schema/schema.ts'
import { toSchema } from './editor/editor-schema.ts'
import { type Field, fieldTable } from './fields.ts'
import { renderFunctions } from './functions.ts'
import { code, paragraphs, table } from './markdown.ts'
import { listParts, shareFields, splitPages } from './parts.ts'
import { createSections, renderSection, type Section } from './sections.ts'

/** Parts with a page of their own. */
const elsewhere: Readonly<Record<string, string>> = {
  'phases[].operations': '[list of operations](operations.md), at least 1',
  'phases[].loads[].operations': '[list of operations](operations.md), at least 1',
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

/** Parts of a spec with a page each, by the beginning of their paths. */
const specParts = [
  { file: 'spec-target.md', title: 'The spec: target', summary: 'Servers to start or to measure.', path: 'target' },
  {
    file: 'spec-phases.md',
    title: 'The spec: phases',
    summary: 'Load, warm-up, connections, when a phase ends.',
    path: 'phases',
  },
  { file: 'spec-report.md', title: 'The spec: report', summary: 'Tables, charts, texts.', path: 'report' },
] as const

const isWithin = ({ title }: Section, path: string): boolean => new RegExp(`^${path}(?!\\w)`).test(title)

function renderSpec(): readonly string[] {
  const [whole, ...parts] = specSections()
  const elsewhereParts = parts.filter((part) => !specParts.some(({ path }) => isWithin(part, path)))
  const index = paragraphs(
    'Specs are JSON with comments (JSONC). `mongo-perf check` lists all issues of a spec, without a server. ' +
      'For completion and validation in an editor, add `"$schema": "./node_modules/mongo-perf/fixtures/spec.schema.json"`, or [set up VS Code](vs-code.md). [Write a spec](writing-specs.md) begins with a small one.',
    '## Fields of a spec',
    fieldTable((whole?.fields ?? []).map(linkToPart)),
    '## Parts of the spec',
    'Headings are paths: `phases[].load` is the field `load` of each item of `phases`. If a part has several kinds, the heading adds the kind.',
    listParts(specParts),
    ...elsewhereParts.map((part) => renderSection(part, '###')),
    '## Expressions',
    'An object with a single key that begins with `@` is an expression: a [function](#functions), a [generator](generators.md), or one of the keywords below. ' +
      'Expressions that depend only on parameters are allowed everywhere except in `kind`, `$schema`, `name`, `seed` and `repeat`. They are evaluated when the plan is made. ' +
      'Expressions that draw or look up values are allowed only where the type is *value*: Extended JSON that is sent to the server. ' +
      'Where the type is *expression*, they are evaluated on the metrics when the report is made.',
    table(
      ['Keyword', 'Meaning'],
      [...forms, ...reportKeywords].map(({ keyword, summary }) => [code(keyword), summary]),
    ),
    'Every item of a list in the spec may have `"when"`: if it is false, the item is removed. An optional field that is `null` counts as absent; inside of values, `null` stays null.',
    '## Functions',
    renderFunctions(),
  )
  return [
    index,
    ...specParts.map(({ path }) =>
      renderPart(
        parts.filter((part) => isWithin(part, path)),
        path,
      ),
    ),
  ]
}

/** A field of several kinds leads to their page, not to each of them. */
function linkToPart(field: Field): Field {
  const part = specParts.find(({ path }) => path === field.name)
  return part !== undefined && field.type.includes('), [') ? { ...field, type: `[object](${part.file})` } : field
}

/** The sections below a path. What several kinds have alike comes last. */
function renderPart(sections: readonly Section[], path: string): string {
  const { shared, own } = shareFields(sections, `${path}: shared fields`, minSharing)
  return paragraphs(
    'A part of [the spec](spec.md). Headings are paths, followed by the kind where there are several.',
    ...own.map((section) => renderSection(section, '##')),
    shared.fields.length === 0 ? '' : renderSection(shared, '##'),
  )
}

/** Sections that have a field alike before it is described once for all of them. */
const minSharing = 2

/** `docs/spec.md` and its parts. */
export const specPages = splitPages(
  [
    {
      file: 'spec.md',
      title: 'The spec',
      summary: 'Every field of a spec, its data, expressions and functions.',
    },
    ...specParts,
  ],
  renderSpec,
)
