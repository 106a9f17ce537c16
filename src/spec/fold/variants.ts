import { isObject, type Json, type JsonObject, type Path } from '../../core/json.ts'
import { asExpression, isUnresolved, unresolved } from '../../language/expression.ts'
import { collectFindings } from '../../language/reasons.ts'
import { specSchema } from '../schema/schema.ts'
import { type FoldContext, type Written } from './fold-context.ts'
import { fold } from './fold.ts'

/** The value of a parameter in a row. */
export type Choice = {
  readonly value: Written
  /** Shown instead of the value. */
  readonly label: string | undefined
  /** The folded value: it labels the row, and `--only` matches it. */
  readonly shown: Json
  /** Its position in the list of values. Undefined where rows are written one by one. */
  readonly position: number | undefined
}

/** One variant of the spec ("row"): the values of the varied parameters. */
export type VariantRow = {
  readonly index: number
  readonly label: string
  readonly choices: ReadonlyMap<string, Choice>
}

/** The values of one row as written in "variants". They are not folded yet, because "where" may exclude the row. */
export type Combination = {
  readonly given: ReadonlyMap<string, Given>
  /** The row's own label, in a list of rows. */
  readonly label: Written | undefined
}

/** Maximum number of rows of a spec: a cross product grows quickly. */
const maxRows = 1000

/**
 * The combinations of a spec, in written order: the cross product of an object of lists (first key slowest), or a list of
 * rows. A spec without variants has one.
 */
export function expandVariants(variants: Json | undefined, context: FoldContext): readonly Combination[] {
  if (variants === undefined || variants === null) return [{ given: new Map(), label: undefined }]
  const { node, path } = resolve({ node: variants, path: ['variants'] }, context)
  if (node === unresolved) return []
  if (Array.isArray(node)) return listRows(node, path, context)
  if (isObject(node)) return crossProduct(node, path, context)
  context.report(path, '"variants" is an object of lists, or a list of objects')
  return []
}

/** A row for variants that cannot be expanded: what does not use them can be validated all the same. None where their names are not known. */
export function rowOfUnknowns(variants: Json | undefined): readonly VariantRow[] {
  if (!isObject(variants) || asExpression(variants)) return []
  const unknown: Choice = {
    value: { node: unresolved, path: ['variants'] },
    label: undefined,
    shown: null,
    position: 0,
  }
  return [{ index: 0, label: '', choices: new Map(Object.keys(variants).map((name) => [name, unknown])) }]
}

/** Resolves an expression by one level: the values in its result are folded row by row. */
function resolve(written: Written, context: FoldContext): Written {
  const expression = asExpression(written.node)
  if (!expression) return written
  if (expression.keyword !== '@param') return fold(written, context)
  const name = typeof expression.argument === 'string' ? expression.argument : ''
  const raw = context.parameters.raw(name)
  // An expression again may be part of a cycle, which folding detects.
  return raw && !asExpression(raw.node) ? raw : fold(written, context)
}

function listRows(list: readonly Json[], path: Path, context: FoldContext): readonly Combination[] {
  if (list.length === 0) context.report(path, '"variants" has no row')
  if (list.length > maxRows) return tooMany(path, context)
  return list.flatMap((item, index) => {
    const written = resolve({ node: item, path: [...path, index] }, context)
    if (!isObject(written.node)) {
      context.report(written.path, 'a row is an object of parameter values')
      return []
    }
    const { label, ...values } = written.node
    const given = Object.entries(values).map(
      ([name, value]) => [name, toGiven({ node: value, path: [...written.path, name] })] as const,
    )
    const own = label === undefined ? undefined : { node: label, path: [...written.path, 'label'] }
    return [{ given: new Map(given), label: own }]
  })
}

function crossProduct(lists: JsonObject, path: Path, context: FoldContext): readonly Combination[] {
  let rows: readonly ReadonlyMap<string, Given>[] = [new Map()]
  for (const [name, written] of Object.entries(lists)) {
    const values = readParameterValues(name, { node: written, path: [...path, name] }, context)
    if (rows.length * values.length > maxRows) return tooMany([...path, name], context)
    rows = rows.flatMap((row) => values.map((value) => new Map([...row, [name, value]])))
  }
  return rows.map((given) => ({ given, label: undefined }))
}

/** The values of a parameter. Empty, with a report, where they are not a list. */
function readParameterValues(name: string, written: Written, context: FoldContext): readonly Given[] {
  const { node, path } = resolve(written, context)
  if (Array.isArray(node) && node.length > 0)
    return (node as readonly Json[]).map((value, i) => toGiven({ node: value, path: [...path, i] }, i))
  if (node !== unresolved) context.report(path, `the values of "${name}" must be a list of at least one`)
  return []
}

function tooMany(path: Path, { report }: FoldContext): readonly Combination[] {
  report(path, `more than ${maxRows} rows`)
  return []
}

type Given = Omit<Choice, 'shown'>

/** `{"label": "NORMAL", "value": 0}` computes with the value and shows the label. */
function toGiven(written: Written, position?: number): Given {
  const { node, path } = written
  if (!isObject(node) || typeof node['label'] !== 'string' || !('value' in node) || Object.keys(node).length !== 2)
    return { value: written, label: undefined, position }
  return { value: { node: node['value'] ?? null, path: [...path, 'value'] }, label: node['label'], position }
}

const addCombinationParameters = ({ given }: Combination, context: FoldContext): FoldContext => ({
  ...context,
  parameters: context.parameters.with(new Map([...given].map(([name, { value }]) => [name, value]))),
})

/** The combinations for which "where" is true. None, with a report, where it cannot be evaluated. */
export function keepWhere(
  root: JsonObject,
  combinations: readonly Combination[],
  context: FoldContext,
): readonly Combination[] {
  const { variants = null, where = null } = root
  if (where === null || combinations.length === 0) return combinations
  if (variants === null) {
    context.report(['where'], 'there are no "variants" to choose from')
    return combinations
  }
  const answers = combinations.map((combination) =>
    evaluateWhere(where, addCombinationParameters(combination, context)),
  )
  if (answers.includes(undefined)) return []
  const kept = combinations.filter((_, index) => answers[index] === true)
  if (kept.length === 0) context.report(['where'], `excludes all ${combinations.length} combinations of "variants"`)
  return kept
}

/** Undefined, with a report, where the result is not a boolean. */
function evaluateWhere(where: Json, context: FoldContext): boolean | undefined {
  const { node, path } = fold({ node: where, path: ['where'] }, context)
  if (typeof node === 'boolean') return node
  if (!isUnresolved(node))
    for (const { reason } of collectFindings(specSchema.shape.where, node).findings) context.report(path, reason)
  return undefined
}

/** Folds a combination into a row. @param index Among the rows that "where" keeps. */
export function toRow(combination: Combination, index: number, context: FoldContext): VariantRow {
  const { given, label } = combination
  const ofRow = addCombinationParameters(combination, context)
  const choices = new Map(
    [...given].map(([name, one]) => [name, { ...one, shown: fold(one.value, ofRow).node }] as const),
  )
  for (const { shown, value } of choices.values()) context.budget.spendOn(shown, value.path)
  const own = label ? fold(label, ofRow) : undefined
  if (own && typeof own.node !== 'string') context.report(own.path, 'a label is a text')
  return { index, label: typeof own?.node === 'string' ? own.node : formatRowLabel([...choices]), choices }
}

/** The label of a row without its own: "name value" for each varied parameter. */
const formatRowLabel = (choices: readonly (readonly [name: string, Pick<Choice, 'label' | 'shown'>])[]): string =>
  choices.map(([name, { label, shown }]) => `${name} ${label ?? shortText(shown)}`).join(', ')

const shortText = (node: Json): string => (typeof node === 'string' ? node : JSON.stringify(node).slice(0, 60))
