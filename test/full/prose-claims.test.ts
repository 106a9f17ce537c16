import { readFileSync, readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { type Json, type JsonObject, isObject } from '../../src/core/json.ts'
import { asExpression } from '../../src/language/expression.ts'
import { parseAddress } from '../../src/metrics/address.ts'
import type { Evaluation, Figure } from '../../src/metrics/evaluate.ts'
import { variedNames } from '../../src/metrics/rows/parameters.ts'
import { type At, findSibling } from '../../src/metrics/rows/siblings.ts'
import { evaluateReport } from '../../src/report/definition/report-spec.ts'
import { type Prose, listUntrue, parseProse, withProse } from '../../src/report/document/prose-file.ts'
import { readResult } from '../../src/results/files/results-file.ts'
import type { Result } from '../../src/results/schema.ts'

const folder = 'fixtures/specs/performance-tables'
const names = readdirSync(folder).flatMap((file) => /^(?!document\.)(.*)\.md$/.exec(file)?.[1] ?? [])

/** Changes of one stored figure: to both ends of the interval of its runs, and far beyond. */
const within = ['low', 'high'] as const
const beyond = [-1e9, 1e9] as const

describe.each(names)('the text on %s', async (name) => {
  const file = `${folder}/${name}.md`
  const prose = parseProse(readFileSync(file, 'utf8'), file)
  const result = await readResult(`fixtures/results/performance-tables/${name}/result.json`)
  const evaluation = evaluateReport(withProse(result, prose))
  const figures = listFigures(evaluation)

  test('holds wherever a figure lies in its interval', () => {
    const broken = figures.flatMap((figure) =>
      within.flatMap((end) => untrueWith(figure, figure.figure.range?.[end] ?? null, { prose, result, evaluation })),
    )
    expect(broken).toEqual([])
  })

  test('is refused by each of its assertions on figures that no longer hold', () => {
    const refused = new Set(
      figures
        .flatMap((figure) => beyond.flatMap((value) => untrueWith(figure, value, { prose, result, evaluation })))
        .map((line) => line.split(':')[1]),
    )
    const readsFigure = ({ names: read }: Prose['assertions'][number]): boolean =>
      read.some((each) => figures.some((figure) => reaches(evaluation, each, figure.name)))
    expect(
      prose.assertions.filter((one) => readsFigure(one) && !refused.has(String(one.line))).map(({ text }) => text),
    ).toEqual([])
  })

  test('says "at most" and "at least" of the largest and smallest of rows', () => {
    const said = [...readFileSync(file, 'utf8').matchAll(/\bat (most|least) \{\{(\w+)\}\}/g)]
    const wrong = said.filter(([, bound, shown = '']) => {
      const value = evaluation.spec.let?.[shown]
      return !JSON.stringify(value).includes(bound === 'most' ? '"@max"' : '"@min"')
    })
    expect(wrong.map(([text]) => text)).toEqual([])
  })
})

/** A figure that a value of `let` reads. */
type Read = { readonly name: string; readonly node: JsonObject; readonly index: number | null; readonly figure: Figure }

function listFigures(evaluation: Evaluation): readonly Read[] {
  const { spec, rows, shape, figure, holds, result } = evaluation
  const variants = rows('variants')
  const [first] = variants
  return Object.entries(spec.let ?? {}).flatMap(([name, value]) =>
    listMetrics(value).flatMap((node): readonly Read[] => {
      const address = parseAddress(String(node['of']), shape)
      if (node['where'] !== undefined)
        return variants
          .filter((row) => holds(node['where'], row))
          .map((row, index) => ({ name, node, index, figure: figure(row, address) }))
      const row = first && findSibling(first, node['at'] as At, variants, variedNames(result))
      return row === undefined || row === null ? [] : [{ name, node, index: null, figure: figure(row, address) }]
    }),
  )
}

/** The arguments of `@metric` in an expression that select rows. */
function listMetrics(node: Json): readonly JsonObject[] {
  if (typeof node !== 'object' || node === null) return []
  const { keyword, argument } = asExpression(node) ?? {}
  if (keyword === '@metric') return isObject(argument) ? [argument] : []
  return keyword === '@ratio' ? [] : Object.values(node).flatMap(listMetrics)
}

type Checked = { readonly prose: Prose; readonly result: Result; readonly evaluation: Evaluation }

/** What is refused of a text if one figure has another value. */
function untrueWith(read: Read, value: number | null, { prose, result, evaluation }: Checked): readonly string[] {
  if (value === null) return []
  const given = evaluation.spec.let ?? {}
  const [row] = evaluation.rows('variants')
  const all = row && read.index !== null ? evaluation.value({ '@metric': read.node }, row) : null
  const changed = Array.isArray(all) ? all.map((each: Json, index) => (index === read.index ? value : each)) : value
  const replace = (node: Json): Json => {
    if (typeof node !== 'object' || node === null) return node
    if (asExpression(node)?.argument === read.node) return changed
    return Array.isArray(node)
      ? node.map(replace)
      : Object.fromEntries(Object.entries(node).map(([key, item]) => [key, replace(item)]))
  }
  const replaced = { ...given, [read.name]: replace(given[read.name] ?? null) }
  return listUntrue(result, { ...prose, let: { ...prose.let, ...replaced } })
}

/** Whether a value of `let` is or reads another one. */
function reaches({ spec }: Evaluation, from: string, to: string): boolean {
  return from === to || JSON.stringify(spec.let?.[from]).includes(`{"@var":"${to}"}`)
}
