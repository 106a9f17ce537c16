import { columnOf, type Measure, measures } from '../report/columns.ts'
import { type Column } from '../report/columns/column.ts'
import { code, paragraphs, table } from './markdown.ts'
import { type Page } from './page.ts'

type Group = { readonly title: string; readonly intro: string; readonly holds: (column: Column) => boolean }

/** A column is in the first group that takes it. */
const groups: readonly Group[] = [
  {
    title: 'Calls',
    intro: 'Counted and timed by the client.',
    holds: ({ source, of }) => source === 'client' && (of.includes('operation') || of.includes('step')),
  },
  {
    title: 'Plans',
    intro:
      'What the server answers to `explain` for up to five calls of an operation: those that the phase begins with, drawn again. They are explained on a connection of their own after the timed window, on the data that the phase has left, and nothing of them is written. Calls without a plan (inserts, bulk writes, commands, `$out` and `$merge`) have empty cells, and so have steps that need the replies of earlier ones. Where a call removes or changes what it finds, the same call finds less the second time.',
    holds: ({ source }) => source === 'explain',
  },
  {
    title: 'Change streams',
    intro: 'What a change stream saw while the operations of its phase wrote.',
    holds: ({ of }) => of.includes('stream'),
  },
  {
    title: 'Checks',
    intro:
      'What the [checks](checks.md) of a row found, by kind. An address has the name of the check in front: `survive.lost` of a check of the kind `acknowledgedWritesSurvive` that is called `survive`.',
    holds: ({ of }) => of.includes('check'),
  },
  {
    title: 'Faults',
    intro:
      'What was done to the servers on purpose, and what it cost; known for a phase as a whole, and for each single fault in tables of them (`"rows": "faults"`).',
    holds: ({ source }) => source === 'faults',
  },
  {
    title: 'Client and window',
    intro: 'How far the other figures can be trusted; known for a phase as a whole.',
    holds: ({ source }) => source === 'client',
  },
  {
    title: 'Sizes on disk',
    intro:
      'Of the collections that the row made, all together, as `storage.totalGB` and the like: they are known for a row as a whole. Servers of ours write a checkpoint before; those of others tell what is in their files.',
    holds: ({ of }) => of.includes('storage'),
  },
  {
    title: 'Cores and prices',
    intro:
      'What the server gives for its size, which `hostInfo` tells, and for its price: the fact `pricePerHour` that the spec states of the target, in $ per hour of the whole deployment. Empty where that is not known.',
    holds: ({ source }) => source === 'hostInfo' || source === 'facts',
  },
  {
    title: 'Server',
    intro:
      'What the server tells of itself: differences of its own counters between the edges of the timed window, for a phase as a whole, on the member that takes the writes; in tables and charts of members (`"rows": "members"`) on the member of the row. `getDiagnosticData` has the figures of the server\'s host, and needs the right to run it.',
    holds: () => true,
  },
]

const nameNoCommand: ReadonlySet<Column['source']> = new Set(['client', 'facts', 'faults'])

/** What the client counted or timed, what the spec states and what faults came to is said above the table already. */
function rowOf(measure: Measure): readonly string[] {
  const column = columnOf(measure)
  const { title, unit, meaning, source, digits, of } = column
  const command = nameNoCommand.has(source) ? '' : code(source)
  return [code(measure), title, unit, meaning, command, String(digits), of.join(', '), chartsOf(column)]
}

/** What the x axis of a line chart of it may be, besides parameters. */
const chartsOf = (column: Column): string =>
  'perCall' in column
    ? code('operation')
    : 'perSecond' in column && column.perSecond !== undefined
      ? code('second')
      : ''

function renderColumns(): string {
  const all = measures.map((measure) => ({
    measure,
    group: groups.find(({ holds }) => holds(columnOf(measure))),
  }))
  return paragraphs(
    'A measure has one name everywhere: in columns and charts of a report, in thresholds, on the command line. [Addresses](addresses.md) say for which phase or operation.',
    'A cell is the median of the runs of its row, unless the meaning says otherwise. A cell that could not be measured is empty, never 0. KB is 1024 bytes and MB 1024 KB everywhere.',
    ...groups.map(({ title, intro }, index) =>
      paragraphs(
        `## ${title}`,
        intro,
        table(
          ['Name', 'Heading', 'Unit', 'Meaning', 'Command', 'Digits', 'Of', 'Over time'],
          all.filter(({ group }) => group === groups[index]).map(({ measure }) => rowOf(measure)),
        ),
      ),
    ),
  )
}

export const columnsPage: Page = {
  file: 'columns.md',
  title: 'Columns',
  summary: 'Every measure of tables, charts and thresholds: unit, meaning, where it comes from.',
  render: renderColumns,
}
