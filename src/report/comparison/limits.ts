import { groupDigits } from '../../core/quantities.ts'
import { groupBy, sum } from '../../metrics/statistics.ts'
import { judgeForSides } from '../../metrics/trust/judge.ts'
import type { PhaseResult, Result } from '../../results/schema.ts'
import type { Pairing } from '../../results/schema/pairing.ts'
import type { ResultComparison, Rounds } from './comparison.ts'
import type { DifferenceName } from './difference-names.ts'
import { findOtherDifferences } from './differences.ts'
import type { MatchedPair, PairedResults, ResultPair, RowPair } from './pair-results.ts'

/** All that a limit may follow from. */
type Compared = Pick<ResultComparison, 'unmatched' | 'figures' | 'leftOut' | 'differences'> & {
  readonly matched: readonly MatchedPair[]
  readonly allowed: readonly DifferenceName[]
}

/** Describes what limits how far the verdicts of a comparison can be trusted, one sentence each. */
export const describeComparisonLimits = (compared: Compared): readonly string[] =>
  limits.flatMap((limit) => limit(compared))

const limits: readonly ((compared: Compared) => string | readonly string[])[] = [
  measuredApart,
  incompleteRounds,
  disturbed,
  clientLimited,
  failedOperations,
  differenceNotFound,
  nothingDiffers,
  differing,
  otherwiseDiffering,
  otherwiseTogether,
  leftOutMetrics,
  ({ unmatched }) => unmatched,
]

/** The rates are those of `npm run bench -- comparisons`. */
function measuredApart({ matched }: Compared): readonly string[] {
  const apart = matched.filter((pair) => determineRoundPairing(pair) === 'unpaired')
  if (apart.length === 0) return []
  const [ofA, ofB] = [formatFirstStart(apart.map(({ a }) => a)), formatFirstStart(apart.map(({ b }) => b))]
  return [
    `A was measured at ${ofA} and B at ${ofB}, and the machine may have been slower at one of the times: a third to a half of such comparisons find a difference where there is none. To let both take turns: mongo-perf ab`,
  ]
}

function incompleteRounds({ matched }: Compared): readonly string[] {
  const texts = matched
    .filter((pair) => determineRoundPairing(pair) !== 'unpaired')
    .map(({ a, b }) => [roundCount(a), roundCount(b)])
    .filter(([ofA, ofB]) => ofA !== ofB)
    .map(([ofA, ofB]) => `A has ${ofA} finished rounds and B has ${ofB}: only rounds that both finished are compared.`)
  return [...new Set(texts)]
}

const formatFirstStart = (results: readonly Result[]): string =>
  results
    .map(({ startedAt }) => startedAt)
    .toSorted()
    .slice(0, 1)
    .map((time) => `${time.slice(0, 16).replace('T', ' ')} UTC`)
    .join('')

/** Settings of the sides have said how specs differ. */
function differing({ differences, matched }: Compared): readonly string[] {
  const hasSettings = findPairedSettings(matched) !== null
  const unsaid = differences.filter(({ name }) => !(hasSettings && name === 'spec'))
  const texts = unsaid.map(({ name, a, b }) => `The ${name} differs: A has ${a}; B has ${b}.`)
  return [...new Set(texts)]
}

function differenceNotFound({ differences, allowed }: Compared): readonly string[] {
  return allowed
    .filter((name) => !differences.some((difference) => difference.name === name))
    .map((name) => `The ${name} is the same in A and B, although the comparison is about it.`)
}

/** The limit of a comparison whose difference is in no result, such as an index that is shown and hidden. */
export const nothingRecorded = 'The results record no difference between A and B: check that the settings took effect.'

/** Two builds of one version have the same facts, so the settings count too. */
function nothingDiffers({ matched, differences }: Compared): readonly string[] {
  const settings = findPairedSettings(matched)
  if (settings === null || differences.length > 0) return []
  const has = (kind: string): boolean => [...settings.a, ...settings.b].some((setting) => setting.startsWith(kind))
  // Results record the names of functions, and not their code.
  if (has('functions:')) return []
  if (String(settings.a.toSorted()) === String(settings.b.toSorted()))
    return ['A and B did the same work in the same way: any difference is noise.']
  // They record the version of a server that others started, and not its data and indexes.
  return has('uri:') ? [] : [nothingRecorded]
}

function otherwiseDiffering({ matched }: Compared): readonly string[] {
  const found = matched.flatMap(({ a, b }) => findOtherDifferences(a, b))
  return [...new Set(found.map(({ name, a, b }) => `${name}: A has ${a}; B has ${b}.`))]
}

/** Rows of sides that took turns, whose verdicts hold all the same. */
function disturbed({ matched, figures }: Compared): readonly string[] {
  const inTurns = matched.filter((pair) => determineRoundPairing(pair) !== 'unpaired').flatMap(({ rows }) => rows)
  const found = inTurns.flatMap(({ label, ...sides }) =>
    (['a', 'b'] as const).flatMap((side) => {
      const { disturbance } = judgeForSides(sides[side], { target: null })
      return disturbance === null ? [] : `${label === '' ? '' : `${label}: `}${disturbance} (${side.toUpperCase()})`
    }),
  )
  if (found.length === 0) return []
  const holds = figures.some(({ interval }) => interval !== null)
  return [
    `Do not compare the columns with other runs: ${found.join('; ')}.${holds ? ' The verdicts hold, because A and B took turns.' : ''}`,
  ]
}

/** All samples of all runs together may say the opposite of most runs, where one run has most of the slow ones. */
function otherwiseTogether({ figures }: Compared): readonly string[] {
  return figures
    .filter(({ interval, figureA, figureB }) => interval && (figureB - figureA) * (interval.ratio - 1) < 0)
    .filter(({ verdict }) => 'effect' in verdict)
    .map(
      ({ row, title }) =>
        `${[row, title].filter((text) => text !== '').join(', ')}: most runs differ the other way than the runs together, which A and B show.`,
    )
}

function clientLimited({ matched }: Compared): readonly string[] {
  const phases = [...collectMatchedPhases(matched, 'a'), ...collectMatchedPhases(matched, 'b')]
  const limited = phases.filter(({ warnings }) => warnings.some(({ code }) => code === 'client-limited')).length
  if (limited === 0) return []
  return [
    `The client was the bottleneck in ${limited} of ${phases.length} measured phases, which may hide differences of the server: use fewer workers, or more threads on idle cores.`,
  ]
}

function failedOperations({ matched }: Compared): readonly string[] {
  const [a, b] = [failuresIn(matched, 'a'), failuresIn(matched, 'b')]
  return a + b === 0
    ? []
    : [
        `Operations failed: ${groupDigits(a)} in A, ${groupDigits(b)} in B. They count neither as throughput nor in latencies.`,
      ]
}

const collectMatchedPhases = (
  matched: readonly MatchedPair[],
  side: keyof Omit<RowPair, 'label'>,
): readonly PhaseResult[] =>
  matched.flatMap(({ rows }) => rows.flatMap((pair) => pair[side].runs.flatMap(({ phases }) => phases)))

const failuresIn = (matched: readonly MatchedPair[], side: keyof Omit<RowPair, 'label'>): number =>
  sum(
    collectMatchedPhases(matched, side).flatMap(({ operations }) =>
      operations.map(({ failed, unknown }) => failed + unknown),
    ),
  )

function leftOutMetrics({ leftOut }: Compared): readonly string[] {
  const groups = groupBy(leftOut, ({ title, reason }) => `${title}: ${reason}`)
  return [...groups].map(([text, rows]) => `Not measured${rows.length > 1 ? ` in ${rows.length} rows` : ''}: ${text}.`)
}

/** Describes what only one side has, one sentence each. */
export function unmatchedIn(
  matched: readonly MatchedPair[],
  { onlyA, onlyB }: Pick<PairedResults, 'onlyA' | 'onlyB'>,
): readonly string[] {
  return [
    ...only('A', 'specs', onlyA),
    ...only('B', 'specs', onlyB),
    ...matched.flatMap((pair) => [...only('A', 'rows', pair.onlyA), ...only('B', 'rows', pair.onlyB)]),
  ]
}

const only = (side: 'A' | 'B', what: 'specs' | 'rows', names: readonly string[]): readonly string[] =>
  names.length === 0 ? [] : [`Only ${side} has the ${what} ${names.map((name) => `"${name}"`).join(', ')}.`]

type Sides = Pick<ResultPair, 'a' | 'b'>

/** How the rounds of two results belong together. */
export const determineRoundPairing = (sides: Sides): Rounds => {
  const pairings = findPairings(sides)
  if (pairings === null) return 'unpaired'
  const { rounds, turns } = pairings.a
  if (turns !== undefined) return roundsOfTurns[rounds]
  return rounds === 'fixed' ? 'paired' : 'sequential'
}

const roundsOfTurns: Readonly<Record<Pairing['rounds'], Rounds>> = {
  fixed: 'turns',
  'until clear': 'sequential turns',
  'budget spent': 'budgeted turns',
}

/** Counts the turns of two results, if they are the sides of one comparison that was made in turns. */
export function countTurns([first, ...others]: readonly Sides[]): ResultComparison['turns'] {
  const turns = first && others.length === 0 ? findPairings(first)?.a.turns : undefined
  if (turns === undefined) return null
  const { seconds, leadInSeconds, rounds } = turns
  return { rounds: new Set(rounds).size, pairs: rounds.length, seconds, leadInSeconds }
}

/** Finds the settings that each side alone has, if the results are the sides of one comparison. */
export function findPairedSettings([first, ...others]: readonly Sides[]): ResultComparison['settings'] {
  const pairings = first && others.length === 0 ? findPairings(first) : null
  return pairings && { a: pairings.a.settings, b: pairings.b.settings }
}

function findPairings({ a, b }: Sides): { readonly a: Pairing; readonly b: Pairing } | null {
  const [ofA, ofB] = [a.pairing, b.pairing]
  return ofA && ofB && ofA.id === ofB.id && ofA.side !== ofB.side ? { a: ofA, b: ofB } : null
}

/** The rounds of which a result has a finished row. */
const roundCount = ({ variants }: Result): number =>
  new Set(variants.flatMap(({ run, status }) => (status === 'done' ? run : []))).size
