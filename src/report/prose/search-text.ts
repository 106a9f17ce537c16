import { readableNumber } from '../../metrics/format.ts'
import { type SearchKind, searchWords } from '../../metrics/search-words.ts'
import { type PhaseResult, type Result } from '../../results/schema.ts'
import { type SearchOutcome, type WindowResult } from '../../results/schema/windows.ts'

/** A search: its answer and its steps. */
export type Search = SearchOutcome & {
  readonly kind: SearchKind
  readonly steps: readonly WindowResult[]
}

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

/** Whether the limits were missed at the lowest rate too. */
export const holdsNowhere = ({ found, low, high }: Search): boolean => found === null && low === null && high !== null

/** The answer as a sentence, behind the name of its row. */
export const answerSearch = ({ label, search }: Pick<FoundSearch, 'label' | 'search'>): string =>
  `${label === '' ? '' : `${label}: `}${search.holds.length === 0 ? explainPeak(search) : explainLimits(search)}`

/** The answer with its interval: "1750 ops/s (1600 to 1900)", "at least 8 workers". */
export function formatAnswer({ kind, found, low, high, confirmed }: Search): string {
  const { formatPlace: at } = searchWords[kind]
  const known = found ?? low
  if (known === null) return high === null ? 'not known' : `below ${at(high)}`
  const remark = found === null || confirmed ? '' : ', not confirmed'
  if (high === null) return `at least ${at(known)}${remark}`
  const [from, to] = [readableNumber(low ?? known), readableNumber(high)]
  return found === null ? `${from} to ${at(high)}` : `${at(found)} (${from} to ${to}${remark})`
}

function explainPeak(search: Search): string {
  const best = search.steps.findLast(({ at }) => at === search.found)
  if (best === undefined) return 'Nothing succeeded in any step.'
  const throughput = searchWords.findRate.formatPlace(best.opsPerSecond)
  return `The highest throughput, about ${throughput}, needs ${formatAnswer(search)}.`
}

function explainLimits(search: Search): string {
  const { kind, found, high, holds, steps, confirmed } = search
  const [answer, limits] = [formatAnswer(search), holds.join(' and ')]
  if (high !== null && holdsNowhere(search))
    return `Even ${searchWords[kind].formatPlace(high)}, the first step, missed ${listMissed(steps, high) || limits}.`
  if (found === null) return `The search was aborted before it had found what keeps ${limits}. So far: ${answer}.`
  return `${capitalize(answer)} keep ${limits}.${confirmed ? ' A separate step confirmed it.' : ''}`
}

export const capitalize = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

/** The limits that a rate missed, with what its last step measured. */
const listMissed = (steps: readonly WindowResult[], rate: number): string => {
  const missed = steps.filter(({ at }) => at === rate).flatMap(({ limits }) => limits.filter(({ held }) => !held))
  return [...new Map(missed.map(({ limit, measured }) => [limit, measured]))]
    .map(([limit, measured]) => (measured === null ? limit : `${limit} (measured ${readableNumber(measured)})`))
    .join(' and ')
}

/** The step whose limiter explains the answer: the last at the found place, or else at the next higher one. */
function findLimitedStep({ found, high, steps }: Search): WindowResult | undefined {
  const limitedAt = (rate: number | null): WindowResult | undefined =>
    steps.findLast((step) => step.at === rate && step.limitedBy !== null)
  return limitedAt(found) ?? limitedAt(high)
}

/** Finds the last step at the found place, or else the last one of all. */
const findLastStep = ({ found, steps }: Search): WindowResult | undefined =>
  steps.findLast((step) => step.at === found) ?? steps.at(-1)

/** Whether something higher was tried, and the search came to its end. */
const isAnswered = ({ found, low, high }: Search): boolean => high !== null && (found !== null || low === null)

/** The resource that would raise the answer if there were more of it, with its figures. Null: not known, or the search did not end. */
export function findScarcest(search: Search): string | null {
  return findLimitedStep(search)?.limitedBy ?? (isAnswered(search) ? (findLastStep(search)?.busiest ?? null) : null)
}

/** Explains what limits the answer. Empty where the search did not end. */
export function explainLimit(search: Search): string {
  const step = findLimitedStep(search)
  if (step === undefined) {
    if (!isAnswered(search)) return ''
    const busiest = findScarcest(search)
    return busiest === null
      ? 'What limits it is not known: the result does not contain how busy the host of the server was.'
      : `Nothing was used up: operations wait for each other. The busiest was the ${busiest}.`
  }
  const where = step.at === search.found ? '' : ` at ${searchWords[search.kind].formatPlace(step.at)}`
  return `It is limited by ${step.limitedBy}${where}.`
}
