import { type Occurrence, occurrencesOf } from '../../results/occurrences.ts'
import { rolledBack } from '../../results/rollbacks.ts'
import { type Availability } from '../../results/schema/faults.ts'
import { type Scope } from '../scope.ts'
import { isNumber, sum, rangeOf } from '../statistics.ts'
import { type Column, type Columns, type PerRun } from './column.ts'

const ofFaults = { source: 'faults', of: ['phase'] } as const

/** What faults cost, as clients saw it. In a table of faults each of them, elsewhere all of a phase. */
export const faultColumns = {
  faults: {
    ...ofFaults,
    title: 'Faults',
    unit: '',
    meaning: 'How often a fault happened.',
    digits: 0,
    value: (scope) => overFaults(occurrencesIn(scope), ({ length }) => length),
  },
  longestGapMs: {
    ...milliseconds(
      'Longest Gap (ms)',
      'Longest time without a successful call, from the beginning of a fault until the next one or the end of the window; of several faults the longest.',
    ),
    value: (scope) => worst(costsIn(scope).map(({ longestGapMs }) => longestGapMs)),
  },
  newPrimaryMs: {
    ...milliseconds(
      'New Primary After (ms)',
      'Time from the beginning of a fault until another member, or the same one with a higher term, called itself primary, as seen several times a second; of several faults the longest. Empty where the primary stayed.',
    ),
    value: (scope) => worst(costsIn(scope).map(({ newPrimaryMs }) => newPrimaryMs)),
  },
  firstSuccessMs: {
    ...milliseconds(
      'First Success After (ms)',
      'Time from the beginning of a fault until the first success of a call that was sent after it began; of several faults the longest. Empty where there was none.',
    ),
    value: (scope) => worstOfAll(costsIn(scope).map(({ firstSuccessMs }) => firstSuccessMs)),
  },
  unavailableSeconds: {
    ...ofFaults,
    title: 'Unavailable (s)',
    unit: 's',
    meaning:
      'Whole seconds of the timed window in which calls were due and none succeeded, from the first fault on; of several faults the sum.',
    digits: 0,
    value: (scope) => total(scope, ({ unavailableSeconds }) => unavailableSeconds),
  },
  faultErrors: {
    ...ofFaults,
    title: 'Errors after Faults',
    unit: '',
    meaning: 'Calls that failed or whose outcome is unknown, from the first fault on.',
    digits: 0,
    value: (scope) => total(scope, ({ failed, unknown }) => failed + unknown),
  },
  rollbacks: {
    ...ofFaults,
    title: 'Rollbacks',
    unit: '',
    meaning:
      'Members that took writes back: their rollback id rose between the first fault and the time after the last one, by more than starts after a crash account for.',
    digits: 0,
    value: ({ phase }) => (phase.elections === null ? null : rolledBack(phase).length),
  },
  faultPlannedSeconds: time('Planned at (s)', 'was to begin', ({ plannedAtSeconds }) => plannedAtSeconds),
  faultBeganSeconds: time('Began at (s)', 'began', ({ beganAtSeconds }) => beganAtSeconds),
  faultDoneSeconds: time(
    'Done at (s)',
    'was complete (a process gone, a link cut)',
    ({ doneAtSeconds }) => doneAtSeconds,
  ),
  faultUndoneSeconds: time('Undone at (s)', 'was undone', ({ undoneAtSeconds }) => undoneAtSeconds),
} as const satisfies Columns

function milliseconds(
  title: string,
  meaning: string,
): Omit<Column, 'value' | 'overRuns' | 'perCall'> & { readonly ofWorstFault: true } {
  return { ...ofFaults, title, unit: 'ms', meaning, digits: 0, ofWorstFault: true }
}

function time(
  title: string,
  what: string,
  value: (occurrence: Occurrence) => number | null,
): Omit<Column, 'value' | 'overRuns' | 'perCall'> & Pick<PerRun, 'value'> {
  return {
    ...ofFaults,
    title,
    unit: 's',
    meaning: `When a fault ${what}, in seconds since the beginning of the timed window. For a fault that happened once, and in tables of faults.`,
    digits: 2,
    value(scope) {
      const [only, ...others] = occurrencesIn(scope)
      return only === undefined || others.length > 0 ? null : value(only)
    },
  }
}

const isWanted =
  ({ fault: wanted }: Scope) =>
  ({ fault, occurrence }: Pick<Occurrence, 'fault' | 'occurrence'>): boolean =>
    wanted === undefined || (wanted.fault === fault && wanted.occurrence === occurrence)

const occurrencesIn = (scope: Scope): readonly Occurrence[] => occurrencesOf(scope.phase.faults).filter(isWanted(scope))

const costsIn = (scope: Scope): readonly Availability[] => scope.phase.availability.filter(isWanted(scope))

/** Null where there was no fault. */
const overFaults = <Item>(items: readonly Item[], value: (items: readonly Item[]) => number): number | null =>
  items.length === 0 ? null : value(items)

const total = (scope: Scope, value: (cost: Availability) => number): number | null =>
  overFaults(costsIn(scope), (costs) => sum(costs.map(value)))

const worst = (values: readonly (number | null)[]): number | null =>
  overFaults(values.filter(isNumber), (known) => rangeOf(known).max)

/** What never happened after one of them is worse than any number. */
const worstOfAll = (values: readonly (number | null)[]): number | null =>
  values.every(isNumber) ? worst(values) : null
