import { type Json, type Path } from '../../core/json.ts'
import { type Findings } from '../workloads/findings.ts'
import { listIn, objectIn } from '../workloads/parse-yaml.ts'
import {
  generate,
  type Generated,
  type Generators,
  joined,
  lengthBetween,
  product,
  readValue,
  sum,
} from '../workloads/values.ts'

/** The place of values: documents that are loaded, or operations. */
export type GennyContext = {
  readonly findings: Findings
  /** How often its thread has drawn from this place before. */
  readonly index: (path: Path) => Json
  /** The time when a value is made. */
  readonly now: Json
}

/** A value of genny, whose generators are objects with one field that begins with "^". */
export function readGennyValue(json: Json, path: Path, context: GennyContext): Json {
  const { findings } = context
  const uncounted = { ...context, index: (at: Path) => findings.refuse(at, 'a counter in another generator') }
  const read = (one: Json, at: Path, isInner = false): Json => readGennyValue(one, at, isInner ? uncounted : context)
  return readValue(json, path, {
    findings,
    text: (text) => text,
    generator: (name, argument, at) =>
      name.startsWith('^') ? generate(generators, [name, argument, at], context, read) : undefined,
  })
}

type Make = Generators<GennyContext>[string]

const byDistribution =
  (distributions: Generators<GennyContext>): Make =>
  (given, context) =>
    distributions[String(given.get('distribution', 'uniform'))]?.(given, context)

/** A length, of which a random one is written as its bounds. */
function size(length: Json): Json {
  const { min, max } = objectIn(objectIn(length)['@long'])
  return typeof min === 'number' && typeof max === 'number' ? lengthBetween(min, max) : length
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

const string: Make = ({ get }) => ({
  '@string': { length: size(get('length', 0)), alphabet: get('alphabet', alphabet) },
})

/** A fixed date, from a text or milliseconds. */
function date(json: Json, before = 0): Json | undefined {
  const time = typeof json === 'string' || typeof json === 'number' ? new Date(json).getTime() : Number.NaN
  return Number.isNaN(time) ? undefined : { $date: new Date(time - before).toISOString() }
}

/** A counter from `start` on, of which each thread has its own. */
const counted = ({ get, path }: Generated, { index }: GennyContext, start: Json): Json | undefined =>
  get('multiplier', 0) === 0 ? sum(start, product(index(path), get('step', 1))) : undefined

/** Formats of C, with a width at most: `%04d`, `%s`. Undefined: another one is among them. */
function format(text: string, values: Iterator<Json>): Json | undefined {
  const parts = text.split(/(%\d*[ds])/).map((part): Json => {
    const [, zero = '', width] = /^%(0?)(\d*)[ds]$/.exec(part) ?? []
    if (width === undefined) return part
    const value = (values.next().value as Json | undefined) ?? null
    return width === '' ? value : { '@padStart': [value, Number(width), zero === '' ? ' ' : '0'] }
  })
  const isOther = parts.some((part) => typeof part === 'string' && part.includes('%'))
  return isOther
    ? undefined
    : joined(
        parts.filter((part) => part !== ''),
        '',
      )
}

const octet = (max: number): Json => ({ '@int': { min: 0, max } })
const fixedValue = (of: Json): Json => ({ '@pickValue': { of, count: 1 } })

/** Generators of genny by their names. */
const generators: Generators<GennyContext> = {
  '^RandomInt': byDistribution({
    uniform: ({ get }) => ({ '@long': { min: get('min'), max: get('max') } }),
    zipfian({ get }) {
      const distribution = { kind: 'zipfian', exponent: get('alpha') }
      const drawn = { '@int': { min: 1, max: get('n'), distribution } }
      return Number(get('alpha')) < 1 ? { '@toLong': drawn } : undefined
    },
  }),
  '^RandomDouble': byDistribution({
    uniform: ({ get }) => ({ '@double': { min: get('min'), max: get('max') } }),
    normal: ({ get }) => ({ '@gaussian': { mean: get('mean'), sigma: get('sigma') } }),
    lognormal: ({ get }) => ({ '@logNormal': { median: Math.exp(Number(get('m'))), sigma: get('s') } }),
  }),
  '^RandomString': string,
  '^FastRandomString': string,
  '^Inc'(given, context) {
    given.get('end')
    const value = counted(given, context, given.get('start', 1))
    return value === undefined ? undefined : { '@toLong': value }
  },
  '^IncDate': (given, context) => counted(given, context, date(given.get('start')) ?? null),
  '^Date': ({ whole }) => date(whole()),
  '^RandomDate'({ get }) {
    // Its upper bound is excluded.
    const [min, max] = [date(get('min', '1970-01-01')), date(get('max', '2150-01-01'), 1)]
    return min === undefined || max === undefined ? undefined : { '@date': { min, max } }
  },
  '^Now': (_, { now }) => now,
  '^Null': () => null,
  '^Verbatim': ({ whole }) => ({ '@literal': whole() }),
  '^IP': () => joined([octet(127), octet(255), octet(255), octet(255)], '.'),
  '^ObjectId'({ whole }) {
    const id = whole()
    if (typeof id === 'string' && id !== '') return { $oid: id }
    return Object.keys(id ?? {}).length === 0 ? { '@objectId': {} } : undefined
  },
  '^Choose'({ get, inner, path }, { index }) {
    const [values, weights] = [inner('from'), get('weights')]
    if (!Array.isArray(values)) return undefined
    if (get('deterministic') === true) return { '@arrayElemAt': [values, { '@mod': [index(path), values.length] }] }
    return { '@choice': { values: values as readonly Json[], ...(weights !== null && { weights }) } }
  },
  '^Join': ({ get }) => joined(listIn(get('array')), get('sep', '')),
  '^FormatString': ({ get }) => format(String(get('format')), listIn(get('withArgs')).values()),
  '^Array'({ get, inner }) {
    const distinct = get('distinct') === true && { distinct: true }
    return { '@array': { size: size(get('number')), of: inner('of'), ...distinct } }
  },
  '^Object'({ get, inner }) {
    get('duplicatedKeys')
    const of = [inner('havingKeys'), inner('andValues')]
    return { '@arrayToObject': { '@array': { size: size(get('withNEntries')), of } } }
  },
  '^FlattenOnce': ({ whole, path }, context) => listIn(readGennyValue(whole(), path, context)).flatMap(listIn),
  '^FixedGeneratedValue': ({ inner }) => fixedValue(inner('fromGenerator')),
  '^BinData': ({ get }) => fixedValue({ '@binary': { size: get('numBytes', 32) } }),
  '^Cycle'({ get, inner }, { findings }) {
    findings.remark('values of ^Cycle are drawn in any order, and not in turn')
    return { '@pickValue': { of: inner('fromGenerator'), count: get('ofLength') } }
  },
}
