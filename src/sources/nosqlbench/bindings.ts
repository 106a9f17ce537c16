import { type Json, type Path } from '../../core/json.ts'
import { type Findings } from '../workloads/findings.ts'
import { callNumber, product, sum, wholeQuotient } from '../workloads/values.ts'

/** A value that is computed from the number of a cycle, and whether it is a text. */
export type Binding = { readonly json: Json; readonly isText: boolean }

type BindingFunction = { readonly make: (input: Json, args: readonly string[]) => Json; readonly isText?: true }

const toNumber = (text = ''): number => Number(text.replaceAll('_', '').replace(/[dfl]$/i, ''))
const isWhole = (text = ''): boolean => /^-?[\d_]+[lL]?$/.test(text)
const words = (list: string): BindingFunction => ({ make: () => ({ '@oneOf': { words: list } }), isText: true })
const maxInt32 = 2 ** 31 - 1

function uniform(_: Json, [min, max]: readonly string[]): Json {
  const range = { min: toNumber(min), max: toNumber(max) }
  if (!isWhole(min) || !isWhole(max)) return { '@double': range }
  return Math.max(-range.min, range.max) > maxInt32 ? { '@long': range } : { '@int': range }
}

function weightedStrings(_: Json, [list = '']: readonly string[]): Json {
  const pairs = list.split(';').map((pair) => pair.split(':'))
  return {
    '@choice': {
      values: pairs.map(([value = '']) => value),
      weights: pairs.map(([, weight]) => toNumber(weight ?? '1')),
    },
  }
}

const uuid: BindingFunction = { make: () => ({ '@uuid': {} }) }

/** Functions of bindings by their names. */
const functions: Readonly<Record<string, BindingFunction>> = {
  Identity: { make: (input) => input },
  Add: { make: (input, [by]) => sum(input, toNumber(by)) },
  Mul: { make: (input, [by]) => product(input, toNumber(by)) },
  Div: { make: (input, [by]) => wholeQuotient(input, toNumber(by)) },
  Mod: { make: (input, [by]) => ({ '@mod': [input, toNumber(by)] }) },
  Hash: { make: (input) => ({ '@fnv1a64': input }) },
  HashRange: {
    make: (input, [min, max]) =>
      sum({ '@mod': [{ '@fnv1a64': input }, toNumber(max) - toNumber(min) + 1] }, toNumber(min)),
  },
  Uniform: { make: uniform },
  Normal: { make: (_, [mean, sigma]) => ({ '@gaussian': { mean: toNumber(mean), sigma: toNumber(sigma) } }) },
  ToInt: { make: (input) => ({ '@toInt': input }) },
  ToLong: { make: (input) => ({ '@toLong': input }) },
  ToDouble: { make: (input) => ({ '@toDouble': input }) },
  ToString: { make: (input) => ({ '@toString': input }), isText: true },
  Prefix: { make: (input, [text = '']) => ({ '@concat': [text, input] }), isText: true },
  Suffix: { make: (input, [text = '']) => ({ '@concat': [input, text] }), isText: true },
  ModuloToBoolean: { make: (input) => ({ '@eq': [{ '@mod': [input, 2] }, 0] }) },
  WeightedStrings: { make: weightedStrings, isText: true },
  AlphaNumericString: {
    make: (_, [length]) => ({
      '@string': {
        length: toNumber(length),
        alphabet: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789',
      },
    }),
    isText: true,
  },
  ToHashedUUID: uuid,
  ToUUID: uuid,
  FirstNames: words('names.en'),
  LastNames: words('surnames.en'),
  FullNames: {
    make: () => ({ '@concat': [{ '@oneOf': { words: 'names.en' } }, ' ', { '@oneOf': { words: 'surnames.en' } }] }),
    isText: true,
  },
  Cities: words('cities.en'),
}

const call = /(\w+)\(((?:'[^']*'|"[^"]*"|[^()'"])*)\)/g

/** Reads a binding: functions that are applied to the number of the cycle, one after the other. */
export function readBinding(text: string, path: Path, findings: Findings): Binding {
  const rest = text.replaceAll(call, '').replaceAll(/->\s*[\w.]+|[;\s]/g, '')
  if (rest !== '') findings.refuse(path, `the binding ${text}`)
  return [...text.matchAll(call)].reduce<Binding>(
    ({ json, isText }, [, name = '', given = '']) => {
      const found = Object.hasOwn(functions, name) ? functions[name] : undefined
      if (!found) return { json: findings.refuse(path, `the function ${name}`), isText }
      if (found === uuid)
        findings.remark('values of ToUUID and ToHashedUUID are drawn, and not computed from the cycle')
      const args = (given.match(/'[^']*'|"[^"]*"|[^,]+/g) ?? []).map((arg) => arg.trim().replaceAll(/^['"]|['"]$/g, ''))
      return { json: found.make(json, args), isText: found.isText ?? false }
    },
    { json: callNumber, isText: false },
  )
}
