import { type FaultTime, type Occurrence, listOccurrences } from '../../results/occurrences.ts'
import { type Availability, type ElectionWatch } from '../../results/schema/faults.ts'
import { groupBy } from '../statistics.ts'
import { type Cell, type Row } from './rows.ts'

/** Parts that only rows of members have. */
export const memberParts = ['member', 'role'] as const

/** Parts that only rows of faults have. */
export const faultParts = [
  'phase',
  'fault',
  'occurrence',
  'faultKind',
  'targets',
  'primary',
  'term',
  'errorLabels',
] as const

export type FaultPart = (typeof faultParts)[number]

export const isMemberPart = (part: string): boolean => memberParts.some((known) => known === part)

export const isFaultPart = (part: string): part is FaultPart => faultParts.some((known) => known === part)

/** An occurrence of a fault in one run, with the primaries and the errors until the next fault. */
type Happened = {
  readonly occurrence: Occurrence
  readonly primaries: ElectionWatch['primaries']
  readonly errors: Availability['errors']
}

const noPrimary = 'none'
const arrow = ' → '

const partTexts: Readonly<
  Record<Exclude<FaultPart, 'phase' | 'fault' | 'occurrence'>, (happened: Happened) => string>
> = {
  faultKind: ({ occurrence }) => occurrence.kind,
  targets: ({ occurrence }) => occurrence.targets.join(', '),
  primary: ({ occurrence, primaries }) => {
    if (occurrence.primaryBefore === null && primaries.length === 0) return ''
    const elected = primaries.flatMap(({ member }) => member ?? [])
    const after = primaries.at(-1)?.member === null ? [...elected, noPrimary] : elected
    return courseText([occurrence.primaryBefore ?? noPrimary, ...after])
  },
  term: ({ occurrence, primaries }) =>
    courseText([occurrence.termBefore, ...primaries.map(({ term }) => term)].flatMap((term) => term ?? []).map(String)),
  errorLabels: ({ errors }) => [...countsByLabels(errors)].map(([labels, count]) => `${labels} ${count}`).join(', '),
}

/** Sorted by frequency. */
function countsByLabels(errors: Availability['errors']): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { labels, count } of errors) {
    if (labels === null) continue
    const key = labels.length === 0 ? 'no label' : labels.join(' + ')
    counts.set(key, (counts.get(key) ?? 0) + count)
  }
  return new Map([...counts].toSorted(([, one], [, other]) => other - one))
}

/** A part of a row that is one occurrence of a fault, with all distinct values of its runs. */
export function faultCell(row: Row, part: FaultPart): Cell {
  if (part === 'phase') return row.target?.phase ?? null
  if (row.fault === null) return null
  if (part === 'fault') return row.fault.fault
  if (part === 'occurrence') return row.fault.occurrence + 1
  const texts = new Set(
    happenedIn(row)
      .map(partTexts[part])
      .filter((text) => text !== ''),
  )
  return texts.size === 0 ? null : [...texts].join('; ')
}

const timeKey = ({ fault, occurrence }: FaultTime): string => JSON.stringify([fault, occurrence])

const byTime = new WeakMap<readonly FaultTime[], ReadonlyMap<string, readonly FaultTime[]>>()

/** The items of one occurrence. Each cell of a table of faults asks for some. */
export function itemsAt<Item extends FaultTime>(items: readonly Item[], time: FaultTime): readonly Item[] {
  const known = byTime.get(items) ?? groupBy(items, timeKey)
  byTime.set(items, known)
  return (known.get(timeKey(time)) ?? []) as readonly Item[]
}

function happenedIn({ runs, target, fault }: Row): readonly Happened[] {
  if (fault === null) return []
  return runs
    .flatMap(({ phases }) => phases.filter(({ name }) => name === target?.phase))
    .flatMap(({ faults, elections, availability }) =>
      itemsAt(listOccurrences(faults), fault).map((occurrence) => ({
        occurrence,
        primaries: primariesAfter(occurrence, elections),
        errors: itemsAt(availability, fault).flatMap(({ errors }) => errors),
      })),
    )
}

const primariesAfter = (
  { beganAtSeconds, untilSeconds }: Occurrence,
  elections: ElectionWatch | null,
): ElectionWatch['primaries'] =>
  elections?.primaries.filter(({ atSeconds }) => atSeconds >= beganAtSeconds && atSeconds < untilSeconds) ?? []

/** Joins names by arrows, without repetitions. */
const courseText = (names: readonly string[]): string =>
  names.filter((name, index) => name !== names[index - 1]).join(arrow)
