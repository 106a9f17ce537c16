import { isNumber, toNumber } from '../values/bson-types.ts'
import { isUsableKey } from '../values/keys.ts'
import { asText } from './arithmetic.ts'
import { type SpecFunction } from './function.ts'

/** Maximum length of the result of `@concat`: what a document can hold. */
const maxTextLength = 16 * 1024 * 1024

/** Maximum number of elements of the result of `@range`. */
const maxRangeLength = 100_000

const isWholeNumber = (value: unknown): boolean => isNumber(value) && Number.isSafeInteger(toNumber(value))

function range(args: readonly unknown[]): number[] | null {
  if (!args.every(isWholeNumber)) return null
  const [start = 0, end = 0, step = 1] = args.filter(isNumber).map(toNumber)
  const length = Math.max(0, Math.ceil((end - start) / step))
  return step === 0 || length > maxRangeLength ? null : Array.from({ length }, (_, i) => start + i * step)
}

function elementAt([list, index]: readonly unknown[]): unknown {
  if (!Array.isArray(list) || !isNumber(index)) return null
  const found: unknown = list.at(toNumber(index))
  return found ?? null
}

function concat(args: readonly unknown[]): string | null {
  const texts = args.map(asText).filter((text) => text !== null)
  const length = texts.reduce((sum, text) => sum + text.length, 0)
  return texts.length < args.length || length > maxTextLength ? null : texts.join('')
}

/** Accepts pairs `[key, value]` and objects `{k, v}`, as MongoDB does; other elements are left out. */
function toObject([list]: readonly unknown[]): unknown {
  if (!Array.isArray(list)) return null
  const object: Record<string, unknown> = {}
  for (const item of list as unknown[]) {
    const pair: unknown[] = Array.isArray(item)
      ? item
      : item && typeof item === 'object' && 'k' in item && 'v' in item
        ? [item.k, item.v]
        : []
    const key = asText(pair[0])
    if (key !== null && isUsableKey(key)) object[key] = pair[1] ?? null
  }
  return object
}

function padStart([value, length, fill]: readonly unknown[]): string | null {
  const text = asText(value)
  if (text === null || typeof fill !== 'string' || !isNumber(length)) return null
  return toNumber(length) > maxTextLength ? null : text.padStart(toNumber(length), fill)
}

export const collections: readonly SpecFunction[] = [
  {
    keyword: '@concat',
    summary: 'Texts and numbers one after the other; null when one of them is null.',
    arity: [1, 100],
    apply: concat,
    example: [{ '@concat': ['intfield', 3] }, 'intfield3'],
  },
  {
    keyword: '@substrCP',
    summary: 'Part of a text: from where, how long.',
    arity: [3, 3],
    apply: ([text, from, count]) =>
      typeof text === 'string' && isNumber(from) && isNumber(count)
        ? [...text].slice(toNumber(from), toNumber(from) + toNumber(count)).join('')
        : null,
    example: [{ '@substrCP': ['order', 0, 3] }, 'ord'],
  },
  {
    keyword: '@padStart',
    summary:
      'Text or number (first), filled in front with a text (third) up to a number of letters (second), as in JavaScript.',
    arity: [3, 3],
    apply: padStart,
    example: [{ '@padStart': [42, 5, '0'] }, '00042'],
  },
  {
    keyword: '@range',
    summary: `Whole numbers from the first up to and without the second, at most ${maxRangeLength} of them; a third gives the step. Known when the plan is made.`,
    arity: [2, 3],
    staticOnly: true,
    apply: range,
    mayBeNull: () => true,
    example: [{ '@range': [1, 4] }, [1, 2, 3]],
  },
  {
    keyword: '@arrayElemAt',
    summary: 'Element of a list by its index from 0; a negative index counts from the end. Null when there is none.',
    arity: [2, 2],
    apply: elementAt,
    mayBeNull: ([list, index]) => Array.isArray(list) && isNumber(index),
    example: [{ '@arrayElemAt': [['a', 'b'], -1] }, 'b'],
  },
  {
    keyword: '@arrayToObject',
    summary: 'Object of a list of [key, value] pairs.',
    arity: [1, 1],
    takesList: true,
    apply: toObject,
    example: [
      {
        '@arrayToObject': [
          ['a', 1],
          ['b', 2],
        ],
      },
      { a: 1, b: 2 },
    ],
  },
  {
    keyword: '@size',
    summary: 'Length of a list.',
    arity: [1, 1],
    apply: ([list]) => (Array.isArray(list) ? list.length : null),
    example: [{ '@size': [['a', 'b']] }, 2],
  },
]
