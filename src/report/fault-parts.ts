import { type Occurrence, occurrencesOf } from '../results/occurrences.ts'
import { type ElectionWatch } from '../results/schema.ts'
import { type Cell, type Row } from './rows.ts'
import { type FaultPart } from './schema.ts'

/** A fault as it happened in one run, and who was primary from then on until the next fault. */
type Happened = { readonly occurrence: Occurrence; readonly primaries: ElectionWatch['primaries'] }

const nobody = 'none'
const arrow = ' → '

const partTexts: Readonly<
  Record<Exclude<FaultPart, 'phase' | 'fault' | 'occurrence'>, (happened: Happened) => string>
> = {
  faultKind: ({ occurrence }) => occurrence.kind,
  targets: ({ occurrence }) => occurrence.targets.join(', '),
  primary: ({ occurrence, primaries }) => {
    if (occurrence.primaryBefore === null && primaries.length === 0) return ''
    const elected = primaries.flatMap(({ member }) => member ?? [])
    const after = primaries.at(-1)?.member === null ? [...elected, nobody] : elected
    return courseText([occurrence.primaryBefore ?? nobody, ...after])
  },
  term: ({ occurrence, primaries }) =>
    courseText([occurrence.termBefore, ...primaries.map(({ term }) => term)].flatMap((term) => term ?? []).map(String)),
}

/** What is told of a row that is one time of one fault. What differs from run to run is all told. */
export function faultCell(row: Row, part: FaultPart): Cell {
  if (part === 'phase') return row.place?.phase ?? null
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

function happenedIn({ runs, place, fault: wanted }: Row): readonly Happened[] {
  return runs
    .flatMap(({ phases }) => phases.filter(({ name }) => name === place?.phase))
    .flatMap(({ faults, elections }) =>
      occurrencesOf(faults)
        .filter(({ fault, occurrence }) => fault === wanted?.fault && occurrence === wanted.occurrence)
        .map((occurrence) => ({ occurrence, primaries: primariesAfter(occurrence, elections) })),
    )
}

const primariesAfter = (
  { beganAtSeconds, untilSeconds }: Occurrence,
  elections: ElectionWatch | null,
): ElectionWatch['primaries'] =>
  elections?.primaries.filter(({ atSeconds }) => atSeconds >= beganAtSeconds && atSeconds < untilSeconds) ?? []

/** One after the other, without what only goes on. */
const courseText = (names: readonly string[]): string =>
  names.filter((name, index) => name !== names[index - 1]).join(arrow)
