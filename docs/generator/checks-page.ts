import { getMeasures } from '../../src/results/check-metrics.ts'
import { type Check } from '../../src/servers/checks/check.ts'
import { checks } from '../../src/servers/checks/index.ts'
import { printSpec } from '../../src/spec/parse/print-spec.ts'
import { toSchema } from './editor/editor-schema.ts'
import { fieldTable, type Field } from './fields.ts'
import { code, jsonBlock, linkTo, paragraphs, table } from './markdown.ts'
import { type Page } from './page.ts'
import { shareFields } from './parts.ts'
import { createSections, renderSection, type Section } from './sections.ts'

type CheckSections = {
  /** One for each kind, in their order. */
  readonly own: readonly Section[]
  /** Objects in checks. */
  readonly nested: readonly Section[]
}

/** The fields of every check. */
export function checkSections(): CheckSections {
  const nested = createSections({ titleOf: (path) => path })
  const own = checks.map(({ kind, summary, spec }) => ({
    title: kind,
    intro: summary,
    fields: nested.fieldsOf(toSchema(spec), kind),
  }))
  return { own, nested: nested.found() }
}

function renderChecks(): string {
  const { own, nested } = checkSections()
  const { shared, own: distinct } = shareFields(own, 'Fields of every check', checks.length)
  return paragraphs(
    'To find out whether the server kept what it acknowledged, add checks to the list `checks` of a spec. A check reads the data after the phases of a row, and some checks also during a phase. ' +
      'If a check is violated, the exit code is 6, which takes precedence over a missed threshold (5) and failed operations (7). The report and the result show its metrics and the first ten examples of what is wrong. In columns and thresholds, write `name.metric`: `survive.lost`.',
    table(
      ['Kind', 'What must be true'],
      checks.map(({ kind, summary }) => [linkTo(kind, code(kind)), summary]),
    ),
    '## How checks work',
    [
      '- At the end, checks read from the primary with the read concern "majority", once a majority has replicated all writes of the primary: a write that one member acknowledged may still be replicating, and is not lost. If this takes more than a minute, the verdict is "not checked".',
      '- Checks that compare sent with existing documents record the id of every document sent, and its outcome: acknowledged, failed or unknown. Each document takes 19 bytes of memory (integer id), 27 (ObjectId) or 36 (UUID), the same again at the end, and about 1 µs after the operation. Warm-up operations count too. Writes must be acknowledged (`w` above 0).',
      '- Operations with an unknown outcome (a lost connection, a timeout) may have been applied or not: neither is a violation. If a row has several runs, each has its own verdict.',
      '- Checks that read a whole collection load it into the cache of the server. They run outside of the timed window, except for reads during a phase.',
      '- After Ctrl-C, or if the server is gone, the verdict is "not checked".',
    ].join('\n'),
    '## What a write concern promises',
    'Whether the loss of an acknowledged write is a violation depends on the write concern of its phase or transaction:',
    table(
      ['Write concern', 'A loss is'],
      [
        [
          '`"majority"`, or a number large enough that every later primary has the write, with `"j": true`',
          'a violation',
        ],
        [
          'the same number without `"j": true`; `"majority"` with `"j": false`',
          'a violation, unless a server was killed in the row (a fault of kind "kill" or "fileSizeLimit"), which loses writes that are not in the journal',
        ],
        ['a smaller number', 'allowed, and reported as expected: a new primary may not have the write'],
        [
          'a custom write concern (by tags); a number if the members are unknown (through a mongos, or without the privilege to list them)',
          'allowed, and reported as unknown',
        ],
      ],
    ),
    'A number counts every data-bearing member, including non-voting ones. With three voting members, 2 is safe; with an additional non-voting member, 3.',
    renderSection(shared, '##'),
    ...checks.map((check, i) => renderCheck(check, distinct[i]?.fields ?? [])),
    ...(nested.length === 0 ? [] : ['## Objects in checks', ...nested.map((section) => renderSection(section, '###'))]),
  )
}

const renderCheck = ({ kind, summary, example }: Check, fields: readonly Field[]): string =>
  paragraphs(
    `## ${kind}`,
    summary,
    jsonBlock(printSpec(example)),
    fieldTable(fields),
    table(
      ['Metric', 'Meaning'],
      Object.entries(getMeasures(kind)).map(([name, { meaning }]) => [code(name), meaning]),
    ),
  )

/** `docs/checks.md`. */
export const checksPage: Page = {
  file: 'checks.md',
  title: 'Checks',
  summary: 'What must be true of the data: sums, journals, acknowledged writes, counts, your own queries.',
  render: renderChecks,
}
