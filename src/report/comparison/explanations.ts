import { createAddress } from '../../metrics/address.ts'
import { speedAround } from '../../metrics/columns/machine-speed.ts'
import { serverColumns } from '../../metrics/columns/server.ts'
import { readableNumber } from '../../metrics/format.ts'
import { limitOfMost } from '../../metrics/limited-by/index.ts'
import { type Row, listScopes } from '../../metrics/rows/rows.ts'
import { type Scope, countCalls, describeShape } from '../../metrics/scope.ts'
import { computeRange, isNumber, median, ratio } from '../../metrics/statistics.ts'
import type { PhaseResult } from '../../results/schema.ts'
import type { Explain } from '../../results/schema/explain.ts'
import type { MatchedPair, RowPair } from './pair-results.ts'

/** Finds what may explain a difference of a row: short texts, none where it is alike on both sides. */
type ExplanationRule = (pair: RowPair) => readonly string[]

/** A figure that is not compared for itself, and from where on it differs clearly. */
type ExplainingFigure = {
  readonly title: string
  /** Says a change by its medians. Default: "title 67 → 10". */
  readonly describe?: (a: number, b: number) => string
  /** The larger of both medians has at least this factor of the smaller one. */
  readonly factor: number
  /** Below that, both medians are near 0. */
  readonly notable: number
}

const listPhaseNames = ({ a, b }: RowPair): readonly string[] =>
  describeShape({ variants: [...a.runs, ...b.runs] }).phases.map(({ name }) => name)

const figureRule =
  (figure: ExplainingFigure, valueOf: (scope: Scope) => number | null): ExplanationRule =>
  (pair) =>
    listPhaseNames(pair).flatMap((phase) => {
      const place = { kind: 'phase', phase } as const
      const valuesIn = (side: 'a' | 'b'): readonly number[] =>
        listScopes(pair[side], createAddress('opsPerSecond', place)).map(valueOf).filter(isNumber)
      return changeText(figure, valuesIn('a'), valuesIn('b')).map((text) => `${phase}: ${text}`)
    })

/**
 * The change of a figure as text: "pages read per operation 0.1 → 2.5". Nothing if it does not differ clearly: by its factor, above what is near
 * 0, and with all runs of one side above all of the other.
 */
export function changeText(figure: ExplainingFigure, a: readonly number[], b: readonly number[]): readonly string[] {
  const [medianA, medianB] = [median(a), median(b)]
  if (medianA === null || medianB === null) return []
  const [lower, higher] = medianA < medianB ? [a, b] : [b, a]
  const isApart = computeRange(higher).min > computeRange(lower).max
  const [less, more] = [Math.min(medianA, medianB), Math.max(medianA, medianB)]
  if (!isApart || more < figure.notable || more < less * figure.factor) return []
  const { title, describe } = figure
  return [describe?.(medianA, medianB) ?? `${title} ${readableNumber(medianA)} → ${readableNumber(medianB)}`]
}

/** Another plan of an operation or one of its steps, or more to examine for what it returns. */
const plans: ExplanationRule = ({ a, b }) => {
  const [ofA, ofB] = [explainsIn(a), explainsIn(b)]
  return [...ofA].flatMap(([place, before]) => {
    const after = ofB.get(place)
    return after === undefined ? [] : describePlanChanges(before, after).map((text) => `${place}: ${text}`)
  })
}

/** Collects what is known of each place, in each run: "read findOne", "pay transfer debit". */
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

const describePlanChanges = (a: readonly Explain[], b: readonly Explain[]): readonly string[] => [
  ...planChange(plansText(a), plansText(b)),
  ...examined.flatMap(({ what, valueOf }) => examinedChange(what, a.flatMap(valueOf), b.flatMap(valueOf))),
]

/** Lists plans in a fixed order: several plans of one operation may appear in any. */
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
  return changeText({ title, factor: 1.5, notable: 1 }, getExaminedValues(a), getExaminedValues(b))
}

const getExaminedValues = (all: readonly Examined[]): readonly number[] => all.map(({ value }) => value)

/** Something else that limited throughput: "read: limited by server CPU (97 % of a core) → disk IOPS (2998 of 3000 reads/s)". */
const limits: ExplanationRule = (pair) =>
  listPhaseNames(pair).flatMap((phase) => {
    const scopesIn = (side: 'a' | 'b'): readonly Scope[] =>
      listScopes(pair[side], createAddress('limitedBy', { kind: 'phase', phase }))
    const [ofA, ofB] = [scopesIn('a'), scopesIn('b')]
    // A baseline lacks counters that decide about limits.
    if (formatCounterNames(ofA) !== formatCounterNames(ofB)) return []
    const [a, b] = [limitOfMost(ofA), limitOfMost(ofB)]
    if (a === null || b === null || a.name === b.name) return []
    return [`${phase}: limited by ${a.name} (${a.text}) → ${b.name} (${b.text})`]
  })

/** The names of the counters that are known of the servers. */
const formatCounterNames = (scopes: readonly Scope[]): string =>
  [...new Set(scopes.flatMap(({ phase: { members } }) => members.flatMap(({ totals }) => Object.keys(totals))))]
    .toSorted()
    .join(' ')

/** Share of the runs by which the sides differ at least. */
const clearShare = 0.5

/** A client that was the bottleneck on one side alone. */
const clientSaturation: ExplanationRule = (pair) =>
  listPhaseNames(pair).flatMap((name) => {
    const [a, b] = [saturationIn(pair.a, name), saturationIn(pair.b, name)]
    if (a.share === null || b.share === null || Math.abs(a.share - b.share) < clearShare) return []
    if (Math.min(a.share, b.share) === 0 && Math.max(a.share, b.share) === 1)
      return [`${name}: the client was the bottleneck in ${a.share > b.share ? 'A' : 'B'} alone`]
    return [`${name}: the client was the bottleneck in ${a.text} runs of A and in ${b.text} of B`]
  })

function saturationIn({ runs }: Row, name: string): { readonly share: number | null; readonly text: string } {
  const phases: readonly PhaseResult[] = runs.flatMap((run) => run.phases.filter((phase) => phase.name === name))
  const saturated = phases.filter(({ client }) => client.saturated).length
  return { share: ratio(saturated, phases.length), text: `${saturated} of ${phases.length}` }
}

/** Operations that the server made again because others changed the same documents. */
const writeConflicts = figureRule({ title: 'write conflicts per operation', factor: 1.5, notable: 0.01 }, (scope) =>
  ratio(serverColumns.writeConflicts.value(scope), countCalls({ ...scope, operations: scope.phase.operations })),
)

/** From where on the warning `slow-machine` is raised within a result. */
const slowFactor = 1 / 0.9

/** A client whose machine ran faster or slower at one of the two times. */
const machineSpeed = figureRule(
  {
    title: 'speed of the machine',
    describe: (a, b) =>
      `${a > b ? 'B' : 'A'}’s machine was ${readableNumber(Math.max(a / b, b / a))} times as slow at a fixed piece of work`,
    factor: slowFactor,
    notable: 0,
  },
  ({ phase }) => speedAround(phase),
)

/** Less in the cache: more pages are read for the same operation. */
const pagesRead = figureRule(
  { title: 'pages read into cache per operation', factor: 1.5, notable: 0.01 },
  serverColumns.pagesReadPerOperation.value,
)

/** Changes in a row between A and B beside its figures, one short text each. */
export type Explanation = { readonly spec: string; readonly row: string; readonly texts: readonly string[] }

/** The most telling first. A new one is one file and one word here. */
const rules: readonly ExplanationRule[] = [plans, limits, pagesRead, writeConflicts, clientSaturation, machineSpeed]

/** Finds what may explain the differences of each row. Leaves out rows in which nothing else differs clearly. */
export const explainDifferences = (matched: readonly MatchedPair[]): readonly Explanation[] =>
  matched.flatMap(({ spec, rows }) =>
    rows
      .map((pair) => ({ spec, row: pair.label, texts: rules.flatMap((rule) => rule(pair)) }))
      .filter(({ texts }) => texts.length > 0),
  )

/** Explanations as lines: "batch 10: read: pages read …; …". */
export function explanationLines(explanations: readonly Explanation[]): readonly string[] {
  const severalSpecs = new Set(explanations.map(({ spec }) => spec)).size > 1
  return explanations.map(({ spec, row, texts }) =>
    [...(severalSpecs ? [spec] : []), row, texts.join('; ')].filter((text) => text !== '').join(': '),
  )
}
