import { type Result } from '../../results/schema.ts'
import { type RateSearch, type RateStep } from '../../results/schema/rate.ts'

/** A search for a rate, and the row and phase that it belongs to. */
export type FoundRate = {
  readonly label: string
  readonly run: number
  readonly phase: string
  readonly rate: RateSearch
}

/** The searches of all runs that count. */
export const listFoundRates = ({ variants }: Pick<Result, 'variants'>): readonly FoundRate[] =>
  variants
    .filter(({ startUp }) => !startUp)
    .flatMap(({ label, run, phases }) =>
      phases.flatMap(({ name, rate }) => (rate === null ? [] : [{ label, run, phase: name, rate }])),
    )

/** Whether the limits were missed at the lowest rate too. */
export const holdsNowhere = ({ ratePerSecond, low, high }: RateSearch): boolean =>
  ratePerSecond === null && low === null && high !== null

/** "1,750/s" */
export const formatRate = (rate: number): string => `${rate.toLocaleString('en-US', { maximumSignificantDigits: 4 })}/s`

/** The answer with its interval: "1,750/s; 1,600/s to 1,900/s". */
export function formatFoundRate({ ratePerSecond, low, high, confirmed, steps }: RateSearch): string {
  if (confirmed && ratePerSecond !== null && high === null) return `at least ${formatRate(ratePerSecond)}`
  if (ratePerSecond !== null && high !== null)
    return `${formatRate(ratePerSecond)}; ${formatRate(low ?? ratePerSecond)} to ${formatRate(high)}${confirmed ? '' : ', not confirmed'}`
  if (low === null && high !== null) return `below ${formatRate(high)}`
  const [first] = steps
  if (first === undefined || low === null) return 'not known'
  return high === null ? `at least ${formatRate(low)}` : `${formatRate(low)} to ${formatRate(high)}`
}

/** Explains the answer, with its limits. */
export function explainFoundRate({ ratePerSecond, low, high, confirmed, holds, steps }: RateSearch): string {
  const limits = holds.join(' and ')
  if (ratePerSecond === null && low === null && high !== null)
    return `At ${formatRate(high)}, the lowest rate that was tried, this was missed: ${listMissed(steps, high) || limits}.`
  if (ratePerSecond === null) return `The search was aborted before it had found the highest rate with ${limits}.`
  if (high === null) return `At ${formatRate(ratePerSecond)}, the highest rate that was tried, this held: ${limits}.`
  const missed = `It held at ${formatRate(low ?? ratePerSecond)}, and was missed at ${formatRate(high)}.`
  const how = confirmed ? '' : ' No separate step confirmed it.'
  return `The highest rate with ${limits}. ${missed}${how}`
}

/** The limits that a rate missed, with what was measured. */
const listMissed = (steps: readonly RateStep[], rate: number): string =>
  steps
    .filter(({ ratePerSecond }) => ratePerSecond === rate)
    .flatMap(({ limits }) => limits)
    .filter(({ held }) => !held)
    .map(({ limit }) => limit)
    .filter((limit, i, all) => all.indexOf(limit) === i)
    .join(' and ')

/** The step whose limiter explains the answer: the last at the found rate, or else the lowest that missed. */
function findLimitedStep({ ratePerSecond, high, steps }: RateSearch): RateStep | undefined {
  const at = (rate: number | null): RateStep | undefined =>
    steps.findLast((step) => step.ratePerSecond === rate && step.limitedBy !== null)
  return at(ratePerSecond) ?? at(high)
}

/** Finds the last step at the found rate, or else the last one of all. */
const findLastStep = ({ ratePerSecond, steps }: RateSearch): RateStep | undefined =>
  steps.findLast((step) => step.ratePerSecond === ratePerSecond) ?? steps.at(-1)

/** Whether there is a rate that was missed, and the search came to its end. */
const isAnswered = ({ ratePerSecond, low, high }: RateSearch): boolean =>
  high !== null && (ratePerSecond !== null || low === null)

/** The resource that would raise the rate if there were more of it, with its figures. Null: not known, or no rate was missed. */
export function findScarcest(rate: RateSearch): string | null {
  return findLimitedStep(rate)?.limitedBy ?? (isAnswered(rate) ? (findLastStep(rate)?.busiest ?? null) : null)
}

/** Explains what limits the rate. Empty where no rate was missed. */
export function explainRateLimit(rate: RateSearch): string {
  const step = findLimitedStep(rate)
  if (step === undefined) {
    if (!isAnswered(rate)) return ''
    const busiest = findScarcest(rate)
    return busiest === null
      ? 'What limits it is not known: the host of the server does not report how busy it was.'
      : `Nothing was used up at that rate. The busiest was the ${busiest}: operations already wait for each other.`
  }
  const where =
    step.ratePerSecond === rate.ratePerSecond
      ? 'It is limited by'
      : `At ${formatRate(step.ratePerSecond)} it is limited by`
  return `${where} ${step.limitedBy}.`
}
