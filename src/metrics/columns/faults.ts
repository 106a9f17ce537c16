import { type FaultTime, type Occurrence, listOccurrences } from '../../results/occurrences.ts'
import { type Availability } from '../../results/schema/faults.ts'
import { rolledBack } from '../../results/warnings/rollbacks.ts'
import { itemsAt } from '../rows/row-parts.ts'
import { type Scope } from '../scope.ts'
import { isNumber, sum, computeRange } from '../statistics.ts'
import { defineColumns } from './column.ts'

const ofFaults = { source: 'faults', of: ['phase'] } as const

const milliseconds = (title: string, meaning: string) =>
  ({ title, meaning, digits: 0, better: 'lower', ofWorstFault: true }) as const

const time = (title: string, what: string, value: (occurrence: Occurrence) => number | null) => ({
  title,
  meaning: `When a fault ${what}, in seconds since the beginning of the timed window. For a fault with one occurrence, and in tables of faults.`,
  digits: 2,
  value(scope: Scope): number | null {
    const [only, ...others] = occurrencesIn(scope)
    return only === undefined || others.length > 0 ? null : value(only)
  },
})

/** Columns for what faults cost clients: each occurrence in tables of faults, else all of a phase. */
export const faultColumns = defineColumns(ofFaults, {
  faults: {
    title: 'Faults',
    meaning: 'Number of occurrences of faults.',
    value: (scope) => overFaults(occurrencesIn(scope), ({ length }) => length),
  },
  faultsFailed: {
    title: 'Faults Failed',
    meaning: 'Number of occurrences of faults that were not injected or undone as specified.',
    better: 'lower',
    value: (scope) => overFaults(occurrencesIn(scope), (all) => all.filter(({ error }) => error !== null).length),
  },
  longestGapMs: {
    ...milliseconds(
      'Longest Gap (ms)',
      'Longest time without a successful operation, from the beginning of a fault until the next one or the end of the window; with several faults the maximum.',
    ),
    value: (scope) => worst(costsIn(scope).map(({ longestGapMs }) => longestGapMs)),
  },
  newPrimaryMs: {
    ...milliseconds(
      'New Primary After (ms)',
      'Time from the beginning of a fault until another member, or the same one with a higher term, reported itself as primary, observed several times a second; with several faults the maximum. Empty if the primary stayed.',
    ),
    value: (scope) => worst(costsIn(scope).map(({ newPrimaryMs }) => newPrimaryMs)),
  },
  firstSuccessMs: {
    ...milliseconds(
      'First Success After (ms)',
      'Time from the beginning of a fault until the first success of an operation sent after it began; with several faults the maximum. Empty if there was none.',
    ),
    value: (scope) => worstOfAll(costsIn(scope).map(({ firstSuccessMs }) => firstSuccessMs)),
  },
  unavailableSeconds: {
    title: 'Unavailable (s)',
    meaning:
      'Whole seconds of the timed window in which operations were due and none succeeded, from the first fault on; with several faults the sum.',
    better: 'lower',
    value: (scope) => total(scope, ({ unavailableSeconds }) => unavailableSeconds),
  },
  faultErrors: {
    title: 'Errors after Faults',
    meaning: 'Operations that failed or whose outcome is unknown, from the first fault on.',
    better: 'lower',
    value: (scope) => total(scope, ({ failed, unknown }) => failed + unknown),
  },
  rollbacks: {
    title: 'Rollbacks',
    meaning:
      'Members that rolled back writes: their rollback id rose between the first and the last fault by more than starts after a crash account for.',
    better: 'lower',
    value: ({ phase }) => (phase.elections === null ? null : rolledBack(phase).length),
  },
  faultPlannedSeconds: time('Planned at (s)', 'was planned to begin', ({ plannedAtSeconds }) => plannedAtSeconds),
  faultBeganSeconds: time('Began at (s)', 'began', ({ beganAtSeconds }) => beganAtSeconds),
  faultDoneSeconds: time(
    'Done at (s)',
    'was complete (a process gone, a link cut)',
    ({ doneAtSeconds }) => doneAtSeconds,
  ),
  faultUndoneSeconds: time('Undone at (s)', 'was undone', ({ undoneAtSeconds }) => undoneAtSeconds),
})

const wantedIn = <Item extends FaultTime>(items: readonly Item[], { fault }: Scope): readonly Item[] =>
  fault === undefined ? items : itemsAt(items, fault)

const occurrencesIn = (scope: Scope): readonly Occurrence[] => wantedIn(listOccurrences(scope.phase.faults), scope)

const costsIn = (scope: Scope): readonly Availability[] => wantedIn(scope.phase.availability, scope)

/** Null if there was no fault. */
const overFaults = <Item>(items: readonly Item[], value: (items: readonly Item[]) => number): number | null =>
  items.length === 0 ? null : value(items)

const total = (scope: Scope, value: (cost: Availability) => number): number | null =>
  overFaults(costsIn(scope), (costs) => sum(costs.map(value)))

const worst = (values: readonly (number | null)[]): number | null =>
  overFaults(values.filter(isNumber), (known) => computeRange(known).max)

/** Null if an occurrence has no value, which is worse than any number. */
const worstOfAll = (values: readonly (number | null)[]): number | null =>
  values.every(isNumber) ? worst(values) : null
