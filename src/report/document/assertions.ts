import { Problem } from '../../core/errors.ts'
import { type Evaluation, toCell } from '../../metrics/evaluate.ts'
import { readableNumber } from '../../metrics/format.ts'
import { isJudgedRatio } from '../prose/finding.ts'

/** A condition on a figure, without which the sentence beside it is not true. */
export type Assertion = {
  /** The condition as it is written: "perIndex between 18 and 30". */
  readonly text: string
  readonly line: number
  /** Name of a value of `let`. */
  readonly name: string
  readonly isHeld: (value: number | string) => boolean
}

const number = String.raw`(-?\d+(?:\.\d+)?)`
const between = new RegExp(`^(\\w+) between ${number} and ${number}$`)
const compared = new RegExp(`^(\\w+) (<=|>=|<|>|==) ${number}$`)
const judged = /^(\w+) is (higher|lower|same|cannot tell|no verdict)$/

const comparisons: Readonly<Record<string, (value: number, limit: number) => boolean>> = {
  '<=': (value, limit) => value <= limit,
  '>=': (value, limit) => value >= limit,
  '<': (value, limit) => value < limit,
  '>': (value, limit) => value > limit,
  '==': (value, limit) => value === limit,
}

/** @throws {Problem} "document-invalid" if it is none. */
export function parseAssertion(text: string, file: string, line: number): Assertion {
  const [, inRange, low, high] = between.exec(text) ?? []
  if (inRange !== undefined)
    return createAssertion(
      inRange,
      (value) => typeof value === 'number' && Number(low) <= value && value <= Number(high),
    )
  const [, figure, sign = '', limit] = compared.exec(text) ?? []
  if (figure !== undefined)
    return createAssertion(
      figure,
      (value) => typeof value === 'number' && comparisons[sign]?.(value, Number(limit)) === true,
    )
  const [, ratio, verdict] = judged.exec(text) ?? []
  if (ratio !== undefined) return createAssertion(ratio, (value) => value === verdict)
  throw new Problem('document-invalid', `${file}:${line}: "${text}" is nothing that can hold of a figure`, {
    hint: 'Write "NAME between 18 and 30", "NAME >= 18", or of a ratio "NAME is lower"; NAME is a value of "let".',
  })

  function createAssertion(name: string, isHeld: Assertion['isHeld']): Assertion {
    return { text, line, name, isHeld }
  }
}

/** Says why an assertion does not hold of a result. Null: it does. */
export function explainFailure({ text, name, isHeld }: Assertion, { shared }: Evaluation): string | null {
  const value = shared(name)
  const isRatio = isJudgedRatio(value)
  const figure = isRatio ? value.ratio : toCell(value)
  if ((figure !== null && isHeld(figure)) || (isRatio && isHeld(value.verdict))) return null
  const is = isRatio ? value.text : figure === null ? 'not measured' : describeFigure(figure)
  return `"${text}" does not hold of the result: ${name} is ${is}`
}

const describeFigure = (figure: number | string): string =>
  typeof figure === 'number' ? readableNumber(figure) : figure
