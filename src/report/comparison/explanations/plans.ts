import { type Explain } from '../../../results/schema/explain.ts'
import { type Row } from '../../../metrics/rows.ts'
import { ratio } from '../../../metrics/statistics.ts'
import { changeText, type ExplanationRule } from './rule.ts'

/** Another plan of an operation or one of its steps, or more to examine for what it returns. */
export const plans: ExplanationRule = ({ a, b }) => {
  const [ofA, ofB] = [explainsIn(a), explainsIn(b)]
  return [...ofA].flatMap(([place, before]) => {
    const after = ofB.get(place)
    return after === undefined ? [] : changesOf(before, after).map((text) => `${place}: ${text}`)
  })
}

/** What is known of each place, in each run: "read findOne", "pay transfer debit". */
function explainsIn({ runs }: Row): ReadonlyMap<string, readonly Explain[]> {
  const places = new Map<string, Explain[]>()
  const add = (place: string, explain: Explain | null): void => {
    if (explain !== null) places.set(place, [...(places.get(place) ?? []), explain])
  }
  for (const { name: phase, operations } of runs.flatMap(({ phases }) => phases))
    for (const { name, explain, steps } of operations) {
      add(`${phase} ${name}`, explain)
      for (const step of steps) add(`${phase} ${name} ${step.name}`, step.explain)
    }
  return places
}

const changesOf = (a: readonly Explain[], b: readonly Explain[]): readonly string[] => [
  ...planChange(plansText(a), plansText(b)),
  ...examined.flatMap(({ what, valueOf }) => examinedChange(what, a.flatMap(valueOf), b.flatMap(valueOf))),
]

/** In a fixed order: several plans of one operation may appear in any. */
const plansText = (explains: readonly Explain[]): string =>
  [...new Set(explains.flatMap((explain) => explain.plans))].toSorted().join('; ')

const planChange = (a: string, b: string): readonly string[] =>
  a === b || a === '' || b === '' ? [] : [`plan "${a}" became "${b}"`]

type Examined = { readonly perReturned: boolean; readonly value: number }

const examined: readonly { readonly what: string; readonly valueOf: (explain: Explain) => readonly Examined[] }[] = [
  { what: 'keys examined', valueOf: (explain) => perReturned(explain, explain.keysExamined) },
  { what: 'documents examined', valueOf: (explain) => perReturned(explain, explain.docsExamined) },
]

/** Per document returned where documents are, else per operation. */
function perReturned({ docsReturned }: Explain, count: number | null): readonly Examined[] {
  if (count === null) return []
  const value = ratio(count, docsReturned)
  return [value === null ? { perReturned: false, value: count } : { perReturned: true, value }]
}

function examinedChange(what: string, a: readonly Examined[], b: readonly Examined[]): readonly string[] {
  const [first, ...others] = [...a, ...b]
  if (first === undefined || others.some((other) => other.perReturned !== first.perReturned)) return []
  const title = `${what} per ${first.perReturned ? 'document returned' : 'operation'}`
  return changeText({ title, factor: 1.5, notable: 1 }, valuesOf(a), valuesOf(b))
}

const valuesOf = (all: readonly Examined[]): readonly number[] => all.map(({ value }) => value)
