import { readableNumber } from '../../metrics/format.ts'
import { type SearchKind, searchWords } from '../../metrics/search-words.ts'
import { type PhaseResult, type Result } from '../../results/schema.ts'
import { type SearchOutcome, type WindowResult } from '../../results/schema/windows.ts'

/** A search: its answer and its steps. */
export type Search = SearchOutcome & { readonly kind: SearchKind; readonly steps: readonly WindowResult[] }

/** A search, and the row and phase that it belongs to. */
export type FoundSearch = {
  readonly label: string
  readonly run: number
  readonly phase: string
  readonly search: Search
}

/** The search of a phase. Null: it is none. */
export const readSearch = ({
  load,
  outcome,
  windows: steps,
}: Pick<PhaseResult, 'load' | 'outcome' | 'windows'>): Search | null =>
  outcome === null || load === 'closed' || load === 'open' ? null : { kind: load, ...outcome, steps }

/** The searches of all runs that count. */
export const listSearches = ({ variants }: Pick<Result, 'variants'>): readonly FoundSearch[] =>
  variants
    .filter(({ startUp }) => !startUp)
    .flatMap(({ label, run, phases }) =>
      phases.flatMap((phase) => {
        const search = readSearch(phase)
        return search === null ? [] : [{ label, run, phase: phase.name, search }]
      }),
    )

/** Names a search by its row and its run. Empty where there is one row and one run. */
export const nameSearch = ({ label, run }: FoundSearch): string =>
  [label, run > 1 ? `run ${run}` : ''].filter((part) => part !== '').join(', ')

/** The ends of the interval of an answer: that at which the limits held, and that at which they were missed. */
const findEnds = (search: Search) => searchWords[search.kind].ends.map((end) => search[end])

/** Whether the limits were missed in the first step too. */
export function holdsNowhere(search: Search): boolean {
  const [held = null, missed = null] = findEnds(search)
  return search.found === null && held === null && missed !== null
}

/** The answer as a sentence, behind the name of its row. */
export const answerSearch = ({ label, search }: Pick<FoundSearch, 'label' | 'search'>): string =>
  `${label === '' ? '' : `${label}: `}${search.holds.length === 0 ? explainPeak(search) : explainLimits(search)}`

/** The answer with its interval: "1750 ops/s (1600 to 1900)", "at least 8 workers". */
export function formatAnswer(search: Search): string {
  const { ends, formatPlace } = searchWords[search.kind]
  const [held = null, missed = null] = findEnds(search)
  const [bound, beyond] = ends[0] === 'low' ? ['at least', 'below'] : ['at most', 'above']
  const known = search.found ?? held
  if (known === null) return missed === null ? 'not known' : `${beyond} ${formatPlace(missed)}`
  const remark = search.confirmed ? '' : ', not confirmed'
  const [low, high] = [search.low, search.high].map((end) => readableNumber(end ?? known))
  return missed === null
    ? `${bound} ${formatPlace(known)}${remark}`
    : `${formatPlace(known)} (${low} to ${high}${remark})`
}

function explainPeak(search: Search): string {
  const best = search.steps.findLast(({ at }) => at === search.found)
  if (best === undefined) return 'Nothing succeeded in any step.'
  const throughput = searchWords.findRate.formatPlace(best.opsPerSecond)
  return `The highest throughput, about ${throughput}, needs ${formatAnswer(search)}.`
}

function explainLimits(search: Search): string {
  const { found, holds, steps, confirmed } = search
  const { ends, formatPlace, unit } = searchWords[search.kind]
  const limits = holds.join(' and ')
  if (holdsNowhere(search) && steps[0] !== undefined)
    return `Even ${formatPlace(steps[0].at)}, the first step, missed ${listMissed(steps) || limits}.`
  if (found === null)
    return `The search was aborted before it had found what keeps ${limits}. So far: ${formatAnswer(search)}.`
  const [, missed = null] = findEnds(search)
  const [low, high] = [search.low, search.high].map((end) => readableNumber(end ?? found))
  const [about, between] =
    missed === null ? [ends[0] === 'low' ? 'At least' : 'At most', ''] : ['About', ` (between ${low} and ${high})`]
  const keeping = `${about} ${readableNumber(found)} ${unit}${between} keep ${limits}.`
  return `${keeping} ${confirmed ? 'A' : 'No'} separate step confirmed it.`
}

export const capitalize = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

/** The limits that steps missed, with what the last of them measured. */
const listMissed = (steps: readonly WindowResult[]): string => {
  const missed = steps.flatMap(({ limits }) => limits.filter(({ held }) => !held))
  return [...new Map(missed.map(({ limit, measured }) => [limit, measured]))]
    .map(([limit, measured]) => (measured === null ? limit : `${limit} (measured ${readableNumber(measured)})`))
    .join(' and ')
}

/** The step whose limiter explains the answer: the last at the found place, or else at the next one beyond it. */
function findLimitedStep(search: Search): WindowResult | undefined {
  const limited = search.steps.filter(({ limitedBy }) => limitedBy !== null)
  const findAt = (place: number | null | undefined) => limited.findLast(({ at }) => at === place)
  return findAt(search.found) ?? findAt(findEnds(search)[1])
}

/** Whether something beyond the answer was tried, and the search came to its end. */
const isAnswered = (search: Search): boolean =>
  search.found === null ? holdsNowhere(search) : findEnds(search)[1] !== null

/** The resource that would improve the answer if there were more of it, with its figures. Null: not known, or the search did not end. */
export function findScarcest(search: Search): string | null {
  const { found, steps } = search
  const last = steps.findLast(({ at }) => at === found) ?? steps.at(-1)
  return findLimitedStep(search)?.limitedBy ?? (isAnswered(search) ? (last?.busiest ?? null) : null)
}

/** Explains what limits the answer. Empty where the search did not end. */
export function explainLimit(search: Search): string {
  const [step, scarcest] = [findLimitedStep(search), findScarcest(search)]
  if (step !== undefined)
    return `It is limited by ${scarcest}${step.at === search.found ? '' : ` at ${searchWords[search.kind].formatPlace(step.at)}`}.`
  if (scarcest !== null) return `Nothing was used up: operations wait for each other. The busiest was the ${scarcest}.`
  return isAnswered(search)
    ? 'What limits it is not known: the result does not contain how busy the host of the server was.'
    : ''
}
