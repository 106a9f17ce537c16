import { type Json, type Path } from '../../core/json.ts'
import { type Findings } from '../workloads/findings.ts'
import { callNumber, fullName, product, sum, wholeQuotient } from '../workloads/values.ts'

/** A value that is computed from the number of a cycle, and whether it is a text. */
export type Binding = { readonly json: Json; readonly isText: boolean }

type BindingFunction = (input: Json, ...args: readonly string[]) => Json

const number = (text = ''): number => Number(text.replaceAll('_', '').replace(/[dfl]$/i, ''))
const isWhole = (text = ''): boolean => /^-?[\d_]+l?$/i.test(text)
const maxInt32 = 2 ** 31 - 1
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

const words =
  (list: string): BindingFunction =>
  () => ({ '@oneOf': { words: list } })

const uuid: BindingFunction = () => ({ '@uuid': {} })

/** Functions of bindings that return other values than texts, by their names. */
const functions: Readonly<Record<string, BindingFunction>> = {
  Identity: (input) => input,
  Add: (input, by) => sum(input, number(by)),
  Mul: (input, by) => product(input, number(by)),
  Div: (input, by) => wholeQuotient(input, number(by)),
  Mod: (input, by) => ({ '@mod': [input, number(by)] }),
  Hash: (input) => ({ '@fnv1a64': input }),
  HashRange(input, min, max) {
    return sum({ '@mod': [{ '@fnv1a64': input }, number(max) - number(min) + 1] }, number(min))
  },
  Uniform(_, min, max) {
    const range = { min: number(min), max: number(max) }
    if (!isWhole(min) || !isWhole(max)) return { '@double': range }
    return Math.max(-range.min, range.max) > maxInt32 ? { '@long': range } : { '@int': range }
  },
  Normal: (_, mean, sigma) => ({ '@gaussian': { mean: number(mean), sigma: number(sigma) } }),
  ToInt: (input) => ({ '@toInt': input }),
  ToLong: (input) => ({ '@toLong': input }),
  ToDouble: (input) => ({ '@toDouble': input }),
  ModuloToBoolean: (input) => ({ '@eq': [{ '@mod': [input, 2] }, 0] }),
  ToHashedUUID: uuid,
  ToUUID: uuid,
}

/** Functions that return texts. */
const textFunctions: Readonly<Record<string, BindingFunction>> = {
  ToString: (input) => ({ '@toString': input }),
  Prefix: (input, text = '') => ({ '@concat': [text, input] }),
  Suffix: (input, text = '') => ({ '@concat': [input, text] }),
  WeightedStrings(_, list = '') {
    const pairs = list.split(';').map((pair) => pair.split(':'))
    const weights = pairs.map(([, weight = '1']) => number(weight))
    return { '@choice': { values: pairs.map(([value = '']) => value), weights } }
  },
  AlphaNumericString: (_, length) => ({ '@string': { length: number(length), alphabet: letters } }),
  FirstNames: words('names.en'),
  LastNames: words('surnames.en'),
  FullNames: () => fullName,
  Cities: words('cities.en'),
}

const call = /(\w+)\(((?:'[^']*'|"[^"]*"|[^()'"])*)\)/g

/** Reads a binding: functions that are applied to the number of the cycle, one after the other. */
export function readBinding(text: string, path: Path, findings: Findings): Binding {
  const rest = text.replaceAll(call, '').replaceAll(/->\s*[\w.]+|[;\s]/g, '')
  if (rest !== '') findings.refuse(path, `the binding ${text}`)
  let binding: Binding = { json: callNumber, isText: false }
  for (const [, name = '', given = ''] of text.matchAll(call)) {
    const isText = Object.hasOwn(textFunctions, name)
    const found = isText ? textFunctions[name] : Object.hasOwn(functions, name) ? functions[name] : undefined
    if (!found) findings.refuse(path, `the function ${name}`)
    if (found === uuid) findings.remark('values of ToUUID and ToHashedUUID are drawn, and not computed from the cycle')
    const args = (given.match(/'[^']*'|"[^"]*"|[^,]+/g) ?? []).map((arg) => arg.trim().replaceAll(/^['"]|['"]$/g, ''))
    binding = { json: found?.(binding.json, ...args) ?? null, isText }
  }
  return binding
}
