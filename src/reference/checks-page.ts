import { type Check } from '../checks/check.ts'
import { checks } from '../checks/index.ts'
import { measuresOf } from '../results/check-measures.ts'
import { toSchema } from '../schema/editor-schema.ts'
import { printSpec } from '../schema/print-spec.ts'
import { fieldTable, type Field } from './fields.ts'
import { code, jsonBlock, linkTo, paragraphs, table } from './markdown.ts'
import { type Page } from './page.ts'
import { createSections, renderSection, type Section } from './sections.ts'

type CheckSections = {
  /** One for each kind, in their order. */
  readonly own: readonly Section[]
  /** Objects inside of checks. */
  readonly nested: readonly Section[]
}

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
  return paragraphs(
    'A check looks at the data of a row when its phases are over, and some look while a phase runs: has the server kept what it acknowledged? Checks stand in the list `checks` of a spec. ' +
      'A check that is violated makes the exit code 6, before a missed threshold (5) and failed calls (7); the report and the result say what was found, with the first ten examples.',
    table(
      ['Kind', 'What must be true'],
      checks.map(({ kind, summary }) => [linkTo(kind, code(kind)), summary]),
    ),
    '## How they look',
    [
      '- What is read at the end is read from the primary with the read concern "majority", when a majority has every write that the primary has: what is acknowledged by one member alone may still be on its way, and is not lost. A check waits a minute for that; else it says "not checked", and why.',
      '- Checks that compare what was sent with what is there note the id of every document that an operation sends, with what the client was told of it: acknowledged, failed or unknown. That takes 19 bytes for an id that is a whole number, 27 for an ObjectId and 36 for a UUID, about a microsecond after each call, and as much memory again at the end. Calls of a warm-up count too. It needs calls of this thread (`threads` 1) and an acknowledgement (`w` above 0).',
      '- Calls of unknown outcome (a lost connection, a timeout) may have been done or not: neither is a violation. Where a spec has several runs of a row, each has its own verdict.',
      '- Checks that read a whole collection bring it into the cache of the server. They take no part in the timed window, apart from reads that a check makes during a phase.',
      '- After Ctrl-C, and where the server went away, they say "not checked".',
    ].join('\n'),
    '## What a write concern promises',
    'Whether the loss of a write that was acknowledged is a violation depends on the write concern that it was sent with, that of its phase or of its transaction:',
    table(
      ['Write concern', 'A loss is'],
      [
        ['`"majority"`, or a number that no later primary can do without, with `"j": true`', 'a violation'],
        [
          'the same number without `"j": true`; `"majority"` with `"j": false`',
          'a violation, unless a server was killed in the row (a fault of kind "kill" or "fileSizeLimit"): what is not in the journal goes with it',
        ],
        ['a smaller number', 'allowed, and said to be expected: a new primary may not have it'],
        [
          'a mode by tags; a number where the members are not known (behind a router, or to a user who may not ask)',
          'allowed, and said not to be known',
        ],
      ],
    ),
    'A number counts every member that holds data, also one without a vote; so with three voting members and one without a vote, 3 is the least that is safe, and 2 without the latter.',
    ...checks.map((check, i) => renderCheck(check, own[i]?.fields ?? [])),
    ...(nested.length === 0 ? [] : ['## Objects in checks', ...nested.map((section) => renderSection(section, '###'))]),
  )
}

const renderCheck = ({ kind, summary, example }: Check, fields: readonly Field[]): string =>
  paragraphs(
    `## ${kind}`,
    summary,
    jsonBlock(printSpec(example)),
    fieldTable(fields),
    'Its figures, in columns and thresholds as `name.figure`:',
    table(
      ['Figure', 'Meaning'],
      Object.entries(measuresOf(kind)).map(([name, { meaning }]) => [code(name), meaning]),
    ),
  )

export const checksPage: Page = {
  file: 'checks.md',
  title: 'Checks',
  summary: 'What must be true of the data: sums, journals, acknowledged writes, counts, queries of your own.',
  render: renderChecks,
}
