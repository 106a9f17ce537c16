import { Problem } from '../../core/errors.ts'
import { type Evaluation, toCell } from '../../metrics/evaluate.ts'
import { readableNumber } from '../../metrics/format.ts'
import { isNumber } from '../../metrics/statistics.ts'
import { isJudgedRatio } from '../prose/finding.ts'
import { besidePublished } from '../published/ratio.ts'

/** A condition on figures, without which the sentence beside it is not true. */
export type Assertion = {
  /** The condition as it is written: "perIndex between 18 and 30". */
  readonly text: string
  readonly line: number
  /** Names of values of `let`. */
  readonly names: readonly string[]
  readonly isHeld: (evaluation: Evaluation) => boolean
}

const operand = String.raw`(-?\d+(?:\.\d+)?|[a-z]\w*)`
const between = new RegExp(`^(\\w+) between ${operand} and ${operand}$`)
const compared = new RegExp(`^(\\w+) (<=|>=|<|>|==) ${operand}$`)
const judged =
  /^(\w+) (?:is (higher|lower|same|cannot tell|no verdict|too wide to tell published)|((?:contains|excludes) published))$/

const comparisons: Readonly<Record<string, (value: number, limit: number) => boolean>> = {
  '<=': (value, limit) => value <= limit,
  '>=': (value, limit) => value >= limit,
  '<': (value, limit) => value < limit,
  '>': (value, limit) => value > limit,
  '==': (value, limit) => value === limit,
}

/** @throws {Problem} "document-invalid" if it is none. */
export function parseAssertion(text: string, file: string, line: number): Assertion {
  const [, figure, from = '', to = ''] = between.exec(text) ?? []
  if (figure !== undefined)
    return comparing([figure, from, to], ([value = 0, low = 0, high = 0]) => low <= value && value <= high)
  const [, one, sign = '', limit = ''] = compared.exec(text) ?? []
  if (one !== undefined)
    return comparing([one, limit], ([value = 0, other = 0]) => comparisons[sign]?.(value, other) === true)
  const [, ratio, ...wanted] = judged.exec(text) ?? []
  if (ratio !== undefined) return judging(ratio, wanted)
  throw new Problem('document-invalid', `${file}:${line}: "${text}" is not an assertion about a figure`, {
    hint: 'Write "NAME between 18 and 30", "NAME >= 18", "NAME < OTHER", or of a ratio "NAME is lower" or "NAME contains published"; names are values of "let".',
  })

  function comparing(operands: readonly string[], isTrue: (figures: readonly number[]) => boolean): Assertion {
    const names = operands.filter((each) => Number.isNaN(Number(each)))
    const isHeld: Assertion['isHeld'] = ({ shared }) => {
      const figures = operands.map((each) => (names.includes(each) ? toFigure(shared(each)) : Number(each)))
      return figures.every(isNumber) && isTrue(figures)
    }
    return { text, line, names, isHeld }
  }

  function judging(name: string, verdicts: readonly (string | undefined)[]): Assertion {
    const isHeld: Assertion['isHeld'] = (evaluation) => {
      const value = evaluation.shared(name)
      if (!isJudgedRatio(value)) return false
      const beside = besidePublished(name, value, evaluation)
      return verdicts.includes(value.verdict) || verdicts.includes(`${beside?.verdict} published`)
    }
    return { text, line, names: [name], isHeld }
  }
}

const toFigure = (value: unknown): number | string | null => (isJudgedRatio(value) ? value.ratio : toCell(value))

/** Says why an assertion does not hold of a result. Null: it does. */
export function explainFailure({ text, names, isHeld }: Assertion, evaluation: Evaluation): string | null {
  if (isHeld(evaluation)) return null
  const are = names.map((name) => `${name} is ${describeValue(name, evaluation)}`)
  return `"${text}" does not hold of the result: ${are.join(', ')}`
}

function describeValue(name: string, evaluation: Evaluation): string {
  const value = evaluation.shared(name)
  if (isJudgedRatio(value)) {
    const beside = besidePublished(name, value, evaluation)
    return beside === null ? value.text : `${value.text}; ${beside.text}`
  }
  const figure = toCell(value)
  if (figure === null) return 'not measured'
  return typeof figure === 'number' ? readableNumber(figure) : figure
}
