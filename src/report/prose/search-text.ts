import { readableNumber } from '../../metrics/format.ts'
import { type PhaseResult, type Result } from '../../results/schema.ts'
import { type SearchOutcome, type WindowResult } from '../../results/schema/windows.ts'

/** A search: its answer and its steps. */
export type Search = SearchOutcome & {
  readonly kind: 'findPeak' | 'findRate'
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
  outcome === null || (load !== 'findPeak' && load !== 'findRate') ? null : { kind: load, ...outcome, steps }

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
  `${label === '' ? '' : `${label}: `}${search.kind === 'findPeak' ? explainPeak(search) : explainRate(search)}`

/** Formats a place of a search: "1750/s", "1 worker" or "8 workers". */
export const formatPlace = (kind: Search['kind'], at: number): string =>
  `${readableNumber(at)}${kind === 'findRate' ? '/s' : at === 1 ? ' worker' : ' workers'}`

/** The answer with its interval: "1750/s; 1600/s to 1900/s", "8 workers; 4 to 16". */
export function formatAnswer(search: Search): string {
  const { kind, found, low, high, confirmed, steps } = search
  const at = (place: number): string => formatPlace(kind, place)
  const end = kind === 'findRate' ? at : readableNumber
  if (found !== null && high === null) return `at least ${at(found)}${confirmed ? '' : ', not confirmed'}`
  if (found !== null && high !== null)
    return `${at(found)}; ${end(low ?? found)} to ${end(high)}${confirmed ? '' : ', not confirmed'}`
  if (low === null && high !== null) return `below ${at(high)}`
  if (steps.length === 0 || low === null) return 'not known'
  return high === null ? `at least ${at(low)}` : `${at(low)} to ${at(high)}`
}

const notConfirmed = ' No separate step confirmed it.'

function explainPeak(search: Search): string {
  const { found, low, high, confirmed, steps } = search
  const best = steps.findLast(({ at }) => at === found)
  if (found === null || best === undefined) return 'Nothing succeeded in any step.'
  const most =
    high === null
      ? ', the most tried'
      : ` (between ${readableNumber(low ?? found)} and ${readableNumber(high)}), the fewest with about the highest throughput`
  const throughput = readableNumber(best.opsPerSecond)
  return `With ${formatPlace(search.kind, found)}${most}: ${throughput} ops/s.${confirmed ? '' : notConfirmed}`
}

function explainRate({ found, low, high, confirmed, holds, steps }: Search): string {
  const limits = holds.join(' and ')
  if (found === null && low === null && high !== null)
    return `Even ${formatRate(high)}, the lowest rate tried, missed ${listMissed(steps, high) || limits}.`
  if (found === null) {
    const between =
      low === null || high === null ? '' : ` It is between ${readableNumber(low)} and ${readableNumber(high)}.`
    return `The search was aborted before it had found the highest rate with ${limits}.${between}`
  }
  if (high === null) return `At least ${formatRate(found)}, the highest rate tried, kept ${limits}.`
  const between = `between ${readableNumber(low ?? found)} and ${readableNumber(high)}`
  const rate = `About ${formatRate(found)} (${between}) keep ${limits}.`
  return confirmed ? `${rate} A separate step confirmed it.` : `${rate}${notConfirmed}`
}

const formatRate = (at: number): string => `${readableNumber(at)} operations per second`

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
  const where =
    step.at === search.found
      ? 'It'
      : `${search.kind === 'findRate' ? 'At' : 'With'} ${formatPlace(search.kind, step.at)} it`
  return `${where} is limited by ${step.limitedBy}.`
}
