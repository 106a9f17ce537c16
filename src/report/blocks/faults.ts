import { type Evaluation } from '../../metrics/evaluate.ts'
import { cellText } from '../../metrics/format.ts'
import { type ColumnSpec } from '../../metrics/report-schema.ts'
import { parameterCell, parameterTitle, varyingParameters } from '../../metrics/rows/parameters.ts'
import { type Row } from '../../metrics/rows/rows.ts'
import { type Result, type VariantResult } from '../../results/schema.ts'
import { rolledBack } from '../../results/warnings/rollbacks.ts'
import { createMeasuredTables } from '../tables/measured.ts'
import { withoutEmptyColumns } from '../tables/table.ts'
import { type Block, createListBlocks, tableBlock } from './block.ts'

const whichTime: ColumnSpec = { row: 'occurrence', title: '#' }

const columns: readonly ColumnSpec[] = [
  { metric: 'faultPlannedSeconds', title: 'Planned (s)' },
  { metric: 'faultBeganSeconds', title: 'Began (s)' },
  { metric: 'faultUndoneSeconds', title: 'Undone (s)' },
  { row: 'targets' },
  { row: 'primary' },
  { row: 'term' },
  { metric: 'newPrimaryMs', title: 'New primary (ms)' },
  { metric: 'longestGapMs', title: 'Longest gap (ms)' },
  { metric: 'firstSuccessMs', title: 'First success (ms)' },
  { metric: 'unavailableSeconds', title: 'Unavailable (s)' },
  { metric: 'faultErrors', title: 'Errors' },
  { row: 'errorLabels', title: 'Errors by label' },
]

const howCounted =
  'Planned, began, undone: seconds since the beginning of the timed window. The other figures count from the beginning of a fault until the next one or the end of the window: the longest time without a successful operation, the time until the first success of an operation sent after the fault began, and the whole seconds in which operations were due and none succeeded.'

/** The faults of a run and what they cost. Empty if there were none. */
export function faultBlocks(evaluation: Evaluation): readonly Block[] {
  const { result, spec } = evaluation
  const rows = evaluation.rows('faults')
  if (rows.length === 0) return []
  const names = varyingParameters(result)
  const shown: readonly ColumnSpec[] = [
    ...names.map((parameter) => ({ parameter, title: parameterTitle(spec, parameter) })),
    ...(new Set(rows.map(({ target }) => target?.phase)).size > 1 ? [{ row: 'phase' } as const] : []),
    { row: 'fault' },
    ...(rows.some(({ fault }) => fault !== null && fault.occurrence > 0) ? [whichTime] : []),
    ...(hasDrawn(result) ? [{ row: 'faultKind' } as const] : []),
    ...columns,
  ]
  const tables = [{ title: 'Faults', rows: 'faults' as const, columns: [...shown] }]
  const remarks = [howCounted, ...rollbacksIn(result, names), ...rows.flatMap((row) => collectFaultErrors(row, names))]
  return [
    ...createMeasuredTables({ ...evaluation, spec: { ...spec, tables } }).map((table) =>
      tableBlock({ ...withoutEmptyColumns(table), judged: [] }),
    ),
    ...createListBlocks(remarks),
  ]
}

/** Whether there are random faults, whose kind their name does not show. */
const hasDrawn = ({ variants }: Result): boolean =>
  variants.some(({ phases }) => phases.some(({ faults }) => faults.some(({ kind }) => kind === 'random')))

function rollbacksIn({ variants }: Result, names: readonly string[]): readonly string[] {
  return variants
    .toSorted((a, b) => a.row - b.row)
    .flatMap((variant) =>
      variant.phases.flatMap((phase) => {
        const members = rolledBack(phase)
        const whose = formatVariantName(variant, names)
        return members.length === 0
          ? []
          : [`Rolled back writes (their rollback id rose)${whose === '' ? '' : `, ${whose}`}: ${members.join(', ')}.`]
      }),
    )
}

/** Errors of injecting or undoing a fault. */
function collectFaultErrors({ runs, target, fault }: Row, names: readonly string[]): readonly string[] {
  return runs.flatMap((run) =>
    run.phases
      .filter(({ name }) => name === target?.phase)
      .flatMap(
        ({ faults }) => faults.find(({ name }) => name === fault?.fault)?.occurrences[fault?.occurrence ?? 0] ?? [],
      )
      .flatMap(({ error }) => {
        const which = [`${fault?.fault} ${(fault?.occurrence ?? 0) + 1}`, formatVariantName(run, names)]
        return error === null ? [] : [`${which.filter((part) => part !== '').join(', ')}: ${error}`]
      }),
  )
}

const formatVariantName = (variant: VariantResult, names: readonly string[]): string =>
  names
    .map((name) => cellText(parameterCell(variant, name), null))
    .filter((text) => text !== '')
    .join(', ')
