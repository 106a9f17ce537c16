import { isObject, type Json, type Path } from '../json.ts'
import { asExpression } from './expression.ts'
import { fold, type FoldContext, type Written } from './fold.ts'

/** A value that a row gives a parameter; the label is what people read instead. */
export type Choice = { readonly value: Written; readonly label: string | undefined }

/** One row of the tables: the values of what varies. */
export type Row = {
  readonly index: number
  readonly label: string
  readonly choices: ReadonlyMap<string, Choice>
}

/** Most rows that a spec may have: a cross product grows quickly. */
export const mostRows = 1000

/**
 * The rows of a spec, in written order: the cross product of an object of lists (first key slowest), or a list of rows.
 * A spec without variants has one row.
 */
export function expandVariants(variants: Json | undefined, context: FoldContext): readonly Row[] {
  if (variants === undefined || variants === null) return [{ index: 0, label: '', choices: new Map() }]
  const { node, path } = resolve({ node: variants, path: ['variants'] }, context)
  if (Array.isArray(node)) return listRows(node, path, context)
  if (isObject(node)) return crossProduct(node, path, context)
  context.report(path, '"variants" is an object of lists, or a list of objects')
  return []
}

/** Replaces an expression by what it stands for, one level only: the values in it are folded row by row. */
function resolve(written: Written, context: FoldContext): Written {
  const expression = asExpression(written.node)
  if (!expression) return written
  if (expression.word !== '@param') return fold(written, context)
  const name = typeof expression.argument === 'string' ? expression.argument : ''
  const raw = context.parameters.raw(name)
  return raw ? resolve(raw, context) : fold(written, context)
}

function listRows(list: readonly Json[], path: Path, context: FoldContext): readonly Row[] {
  if (list.length === 0) context.report(path, '"variants" holds no row')
  return list.flatMap((item, index) => {
    const written = resolve({ node: item, path: [...path, index] }, context)
    if (!isObject(written.node)) {
      context.report(written.path, 'a row is an object of parameter values')
      return []
    }
    const { label, ...values } = written.node
    if (label !== undefined && typeof label !== 'string')
      context.report([...written.path, 'label'], 'a label is a text')
    const choices = new Map(
      Object.entries(values).map(([name, value]) => [name, toChoice({ node: value, path: [...written.path, name] })]),
    )
    return [{ index, label: typeof label === 'string' ? label : labelOf(choices), choices }]
  })
}

function crossProduct(lists: { readonly [name: string]: Json }, path: Path, context: FoldContext): readonly Row[] {
  let rows: readonly ReadonlyMap<string, Choice>[] = [new Map()]
  for (const [name, written] of Object.entries(lists)) {
    const list = resolve({ node: written, path: [...path, name] }, context)
    if (!Array.isArray(list.node) || list.node.length === 0) {
      context.report(list.path, `the values of "${name}" must be a list of at least one`)
      continue
    }
    const choices = (list.node as readonly Json[]).map((value, i) => toChoice({ node: value, path: [...list.path, i] }))
    if (rows.length * choices.length > mostRows) {
      context.report(list.path, `more than ${mostRows} rows`)
      return []
    }
    rows = rows.flatMap((row) => choices.map((choice) => new Map([...row, [name, choice]])))
  }
  return rows.map((choices, index) => ({ index, label: labelOf(choices), choices }))
}

/** `{"label": "NORMAL", "value": 0}` computes by value and prints by label. */
function toChoice(written: Written): Choice {
  const { node, path } = written
  if (!isObject(node) || typeof node['label'] !== 'string' || !('value' in node) || Object.keys(node).length !== 2)
    return { value: written, label: undefined }
  return { value: { node: node['value'] ?? null, path: [...path, 'value'] }, label: node['label'] }
}

const labelOf = (choices: ReadonlyMap<string, Choice>): string =>
  [...choices].map(([name, { value, label }]) => `${name} ${label ?? shortText(value.node)}`).join(', ')

const shortText = (node: Json): string => (typeof node === 'string' ? node : JSON.stringify(node).slice(0, 60))
