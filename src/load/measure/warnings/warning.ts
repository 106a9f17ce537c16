import { errorText } from '../../../results/error-text.ts'
import type { PhaseResult } from '../../../results/schema.ts'
import type { OperationResult } from '../../../results/schema/calls.ts'
import type { WarningFigure, WarningPart } from '../../../results/schema/warnings.ts'
import type { WarningCode } from '../../../results/warnings/weights.ts'

/** Calls that failed, or whose outcome is unknown. */
export const failures = ({ failed, unknown }: OperationResult): number => failed + unknown
/** Transactions that were aborted on purpose. */
export const aborted = ({ transaction }: OperationResult): number => transaction?.aborted ?? 0
export const calls = (operation: OperationResult): number => operation.ok + failures(operation) + aborted(operation)

/** The text of the error that occurred most often. */
export function nameCommonError({ operations }: Measured): string {
  const [most] = operations.flatMap(({ errors }) => errors).toSorted((one, other) => other.count - one.count)
  return most ? errorText(most) : 'no error was kept'
}

/** The result of a phase without the parts that are added after its warnings. */
export type Measured = Omit<PhaseResult, 'warnings' | 'availability'>

/** A text with figures, which reports can show as ranges over several runs. */
export type Wording = readonly WarningPart[]

/** A rule that finds one kind of problem of a measurement. */
export type WarningRule = {
  /** With its weight in `results/warning-weights.ts`. */
  readonly code: WarningCode
  /** The message, a sentence without a final period. Undefined where the warning does not apply. */
  readonly finds: (phase: Measured) => string | Wording | undefined
  readonly advice: string | ((phase: Measured) => string)
}

/** A share as text, such as "12 %". */
export const percent = (share: number): string => `${Math.round(share * 100)} %`

/** A figure as a message shows it. */
export const figure = (value: number, unit = '', decimals = 0): WarningFigure => ({
  value: Number(value.toFixed(decimals)),
  unit,
})

/** A share as a figure, such as "12 %". */
export const share = (part: number): WarningFigure => figure(part * 100, '%')

type Insertion = WarningPart | Wording

const isWording = (inserted: Insertion): inserted is Wording => Array.isArray(inserted)

/** The tag of a message with figures: `` wording`The window was only ${figure(seconds, 's', 1)}` ``. */
export function wording(texts: TemplateStringsArray, ...values: readonly Insertion[]): Wording {
  const parts = texts.flatMap((text, index) => [text, ...toWording(values[index] ?? '')])
  return parts.reduce<Wording>(withPart, [])
}

const toWording = (inserted: Insertion): Wording => (isWording(inserted) ? inserted : [inserted])

/** Joins texts that follow each other, so that equal messages have equal parts. */
function withPart(parts: Wording, part: WarningPart): Wording {
  const last = parts.at(-1)
  if (part === '') return parts
  return typeof part === 'string' && typeof last === 'string' ? [...parts.slice(0, -1), last + part] : [...parts, part]
}

/** Texts with something between them, by default commas. Undefined where there are none. */
export function list(words: readonly Insertion[], between = ', '): Wording | undefined {
  const [first, ...others] = words
  if (first === undefined) return undefined
  return others.reduce<Wording>((all, next) => wording`${all}${between}${next}`, toWording(first))
}
