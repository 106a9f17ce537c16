import { isTrue } from '../functions/comparison.ts'
import { type Json } from '../json.ts'
import { asExpression, expressionsIn, isStatic, isUnresolved } from '../language/expression.ts'
import { isReportWord } from '../language/report-words.ts'
import { fold } from './fold.ts'
import { evaluated } from './fold-function.ts'
import { type FoldContext } from './fold-context.ts'
import { type Row } from './variants.ts'

const path = ['where']

/** The rows for which "where" is true, in their written order and counted anew. */
export function keepRows(rows: readonly Row[], where: Json | undefined, context: FoldContext): readonly Row[] {
  if (where === undefined || where === null) return rows
  const kept = rows.filter((row) => holds(where, row, context))
  if (kept.length === 0 && rows.length > 0) context.report(path, 'leaves no row: it is true for none of the variants')
  return kept.map(({ label, choices }, index) => ({ index, label, choices }))
}

/** Whatever is wrong with it is reported, and leaves the row where it is. */
function holds(where: Json, row: Row, context: FoldContext): boolean {
  const choices = new Map([...row.choices].map(([name, { value }]) => [name, value]))
  const ofRow: FoldContext = { ...context, parameters: context.parameters.with(choices) }
  const { node } = fold({ node: where, path }, ofRow)
  if (isUnresolved(node)) return true
  if (!isStatic(node)) {
    // What is measured stands only in the report, which has been reported.
    const isMeasured = expressionsIn(node).some(({ word }) => isReportWord(word))
    if (!isMeasured) context.report(path, 'depends on parameters alone: nothing is drawn in it')
    return true
  }
  return isTrue(evaluated(fold({ node: withLabels(where, row), path }, ofRow), context))
}

/** As in reports, `{"@param": "mode"}` is equal to the label of the parameter and to its value alike. */
function withLabels(node: Json, row: Row): Json {
  if (node === null || typeof node !== 'object') return node
  const { word = '', argument } = asExpression(node) ?? {}
  if (word === '@literal') return node
  if (byLabelToo.has(word) && Array.isArray(argument)) {
    const [first = null, second = null] = argument as readonly Json[]
    const seconds = readingsOf(second, row)
    const calls = readingsOf(first, row).flatMap((one) => seconds.map((other) => ({ [word]: [one, other] })))
    return word === '@ne' ? { '@and': calls } : { '@or': calls }
  }
  if (Array.isArray(node)) return (node as readonly Json[]).map((item) => withLabels(item, row))
  return Object.fromEntries(Object.entries(node).map(([key, item]) => [key, withLabels(item, row)]))
}

const byLabelToo: ReadonlySet<string> = new Set(['@eq', '@ne', '@in'])

function readingsOf(node: Json, row: Row): readonly Json[] {
  const { word, argument } = asExpression(node) ?? {}
  const label = word === '@param' ? row.choices.get(String(argument))?.label : undefined
  const read = withLabels(node, row)
  return label === undefined ? [read] : [read, label]
}
