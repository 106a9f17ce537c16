import { isObject, type Json, listParts } from '../../core/json.ts'
import { asExpression, nameRead } from '../../language/expression.ts'
import { type Report } from '../../language/issues.ts'
import { type ReportSpec } from '../../metrics/report-schema.ts'
import { labelName, type Named } from '../../metrics/rows/parameters.ts'
import { textNames } from '../../metrics/text-names.ts'

type Rows = {
  readonly rows: readonly Named[]
  /** Parameters that vary from row to row. */
  readonly varied: readonly string[]
}

type Across = Rows & { readonly report: Report }

/** Validates the texts of the report: a text is written once, so its values must be the same for all rows. */
export function validateTexts(spec: ReportSpec, across: Across): void {
  const dependent = dependentNames(spec, across)
  const way = `in a text, "@metric" must select its row by an "at" for ${across.varied.join(', ')}`
  for (const { name, path } of textNames(spec))
    if (dependent.has(name)) across.report(['report', ...path], `"${name}" differs from row to row: ${way}`)
}

/** Names in `let` whose values may differ from row to row. */
function dependentNames({ let: given = {} }: ReportSpec, { rows, varied }: Rows): ReadonlySet<string> {
  const dependent = new Set<string>()
  if (rows.length < 2) return dependent
  // A parameter may be computed from varied ones.
  const names = new Set(rows.flatMap(({ parameters }) => Object.keys(parameters)))
  const isSame = (name: string): boolean =>
    new Set(rows.map(({ parameters }) => JSON.stringify(parameters[name]))).size === 1
  const changing = new Set([labelName, ...[...names].filter((name) => !isSame(name))])
  for (const [name, node] of Object.entries(given))
    if (dependsOnRow(node, { varied, changing, dependent })) dependent.add(name)
  return dependent
}

type Dependence = {
  readonly varied: readonly string[]
  /** Parameters that differ from row to row. */
  readonly changing: ReadonlySet<string>
  /** Names in `let` whose values differ from row to row. */
  readonly dependent: ReadonlySet<string>
}

/** Parts of each keyword that depend on the row. */
const dependences = new Map<string, (argument: Json, known: Dependence) => boolean>([
  ['@literal', () => false],
  ['@param', (argument, { changing }) => changing.has(nameRead(argument))],
  ['@var', (argument, { dependent }) => dependent.has(nameRead(argument))],
  ['@cluster', () => true],
  [
    '@metric',
    (argument, known) => !(isObject(argument) && ('where' in argument || selectsOneRow(argument['at'], known))),
  ],
  [
    '@ratio',
    (argument, known) => isObject(argument) && !['at', 'to'].every((key) => selectsOneRow(argument[key], known)),
  ],
])

function dependsOnRow(node: Json, known: Dependence): boolean {
  const { keyword = '', argument = null } = asExpression(node) ?? {}
  const depends = dependences.get(keyword)
  return depends?.(argument, known) ?? listParts(node).some(([, part]) => dependsOnRow(part, known))
}

/** Whether the same row is meant, whatever row reads it. */
function selectsOneRow(at: Json | undefined, { varied }: Dependence): boolean {
  const named = new Set((isObject(at) ? Object.keys(at) : []).map((each) => each.split('.')[0]))
  return named.has(labelName) || varied.every((each) => named.has(each))
}
