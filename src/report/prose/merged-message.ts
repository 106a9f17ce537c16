import { groupDigits } from '../../core/quantities.ts'
import { groupBy, computeRange } from '../../metrics/statistics.ts'
import { type Note, sentence } from '../../metrics/trust/notes.ts'
import { type WarningFigure, type WarningPart } from '../../results/schema/warnings.ts'
import { figureText } from '../../results/warnings/parts.ts'

const isFigure = (part: WarningPart | undefined): part is WarningFigure => typeof part === 'object'

/** One text for several notes of a kind, with the range of each figure ("207 to 340 ms late") and the advice. */
export function mergedText(notes: readonly Note[]): string {
  const advice = formatAdvice(notes)
  return mergedMessage(notes) + (advice === '' ? '' : ` ${advice}`)
}

/** The advice of notes of a kind, a sentence. Empty: there is none. */
export const formatAdvice = ([first]: readonly Note[]): string =>
  first === undefined || first.advice === '' ? '' : sentence(first.advice)

/** The same without the advice. */
export function mergedMessage(notes: readonly Pick<Note, 'parts'>[]): string {
  const groups = [...groupBy(notes, ({ parts }) => createTextKey(parts)).values()]
  const [most = []] = groups.toSorted((one, other) => other.length - one.length)
  const text = sentence(withRanges(most.map(({ parts }) => parts)))
  return groups.length < 2 ? text : `${text} ${remarkOnOthers(most)}`
}

/** The texts between the figures, which are equal in messages that differ only in figures. */
const createTextKey = (parts: readonly WarningPart[]): string =>
  JSON.stringify(parts.map((part) => (isFigure(part) ? { unit: part.unit } : part)))

/** Older results recorded no figures: their messages differ as a whole. */
const remarkOnOthers = (shown: readonly Pick<Note, 'parts'>[]): string =>
  shown.some(({ parts }) => parts.some(isFigure))
    ? '(Details of one run; others differ.)'
    : '(Figures of one run; others differ.)'

function withRanges(messages: readonly (readonly WarningPart[])[]): string {
  const [first = []] = messages
  return first
    .map((part, index) => (isFigure(part) ? rangeText(messages.flatMap((parts) => figureAt(parts, index))) : part))
    .join('')
}

function figureAt(parts: readonly WarningPart[], index: number): readonly WarningFigure[] {
  const part = parts[index]
  return isFigure(part) ? [part] : []
}

/** "207 to 340 ms" */
function rangeText(figures: readonly WarningFigure[]): string {
  const { min, max } = computeRange(figures.map(({ value }) => value))
  const unit = figures[0]?.unit ?? ''
  return min === max ? figureText({ value: min, unit }) : `${groupDigits(min)} to ${figureText({ value: max, unit })}`
}
