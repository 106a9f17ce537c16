import { isObject, type Json, type JsonObject, type Path } from '../../core/json.ts'
import { type Findings } from '../workloads/findings.ts'
import { toNumber } from '../workloads/parse-yaml.ts'
import { lengthBetween, product, readValue, sum } from '../workloads/values.ts'

/** Where values are read: in documents that are loaded, or in operations. */
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
  return readValue(json, path, {
    findings,
    text: (text) => text,
    generator(name, argument, at) {
      if (!name.startsWith('^')) return undefined
      const found = Object.hasOwn(generators, name) ? generators[name] : undefined
      if (!found) return findings.refuse(at, `the generator ${name}`)
      const fields = isObject(argument) ? argument : {}
      if (found.fields) findings.requireFields(fields, found.fields, at)
      return found.make({ fields, argument, at, context })
    },
  })
}

type Call = { readonly fields: JsonObject; readonly argument: Json; readonly at: Path; readonly context: GennyContext }

type Generator = {
  /** Undefined: its argument may be anything. */
  readonly fields?: readonly string[]
  readonly make: (call: Call) => Json
}

/** Letters of `^RandomString` without an alphabet. */
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

const valueOf = ({ fields, at, context }: Call, name: string): Json =>
  readGennyValue(fields[name] ?? null, [...at, name], context)

/** A whole number, or the generator of one. */
const wholeOf = (call: Call, name: string, otherwise: number): Json =>
  call.fields[name] === undefined ? otherwise : (toNumber(call.fields[name]) ?? valueOf(call, name))

/** A length, of which a random one with fixed bounds is written as these. */
function lengthOf(call: Call, name: string): Json {
  const length = wholeOf(call, name, 0)
  const { '@long': range } = isObject(length) ? length : {}
  const { min, max } = isObject(range ?? null) ? (range as JsonObject) : {}
  return typeof min === 'number' && typeof max === 'number' ? lengthBetween(min, max) : length
}

/** What another generator draws is not drawn once for each document. */
const inOther = (call: Call): Call => ({
  ...call,
  context: { ...call.context, index: (path) => call.context.findings.refuse(path, 'a counter in another generator') },
})

const string: Generator = {
  fields: ['length', 'alphabet'],
  make: (call) => ({ '@string': { length: lengthOf(call, 'length'), alphabet: call.fields['alphabet'] ?? alphabet } }),
}

const refuseDistribution = ({ fields, at, context }: Call): null =>
  context.findings.refuse(at, `the distribution ${String(fields['distribution'])}`)

/** Random numbers by their distributions. */
const wholeDistributions: Readonly<Record<string, (call: Call) => Json>> = {
  uniform: (call) => ({ '@long': { min: wholeOf(call, 'min', 0), max: wholeOf(call, 'max', 0) } }),
  zipfian(call) {
    const exponent = toNumber(call.fields['alpha']) ?? 1
    if (exponent >= 1) return call.context.findings.refuse(call.at, 'a zipfian distribution with an alpha of 1 or more')
    return {
      '@toLong': { '@int': { min: 1, max: wholeOf(call, 'n', 1), distribution: { kind: 'zipfian', exponent } } },
    }
  },
}

const doubleDistributions: Readonly<Record<string, (call: Call) => Json>> = {
  uniform: (call) => ({ '@double': { min: wholeOf(call, 'min', 0), max: wholeOf(call, 'max', 1) } }),
  normal: (call) => ({ '@gaussian': { mean: wholeOf(call, 'mean', 0), sigma: wholeOf(call, 'sigma', 1) } }),
  lognormal: ({ fields: { m, s } }) => ({
    '@logNormal': { median: Math.exp(toNumber(m) ?? 0), sigma: toNumber(s) ?? 1 },
  }),
}

const byDistribution = (distributions: Readonly<Record<string, (call: Call) => Json>>): Generator => ({
  make: (call) => (distributions[String(call.fields['distribution'] ?? 'uniform')] ?? refuseDistribution)(call),
})

/** A fixed date: a text, or milliseconds. */
function dateOf({ at, context: { findings } }: Call, json: Json | undefined, otherwise: string, before = 0): Json {
  const time = new Date(typeof json === 'string' ? json : (toNumber(json) ?? otherwise)).getTime()
  const isDate = (typeof json !== 'object' || toNumber(json) !== undefined) && !Number.isNaN(time)
  return isDate ? { $date: new Date(time - before).toISOString() } : findings.refuse(at, 'a date that is drawn')
}

/** A counter from `start` on, for each thread its own. */
const counted = ({ fields, at, context }: Call, start: Json): Json => {
  if ((toNumber(fields['multiplier']) ?? 0) !== 0)
    context.findings.refuse(at, 'a "multiplier" of the number of an actor')
  return sum(start, product(context.index(at), toNumber(fields['step']) ?? 1))
}

function choose(call: Call): Json {
  const { from = null, weights, deterministic } = call.fields
  const values = valueOf(inOther(call), 'from')
  if (!Array.isArray(from)) return call.context.findings.refuse(call.at, 'a choice from something that is no list')
  if (deterministic === true)
    return { '@arrayElemAt': [values, { '@mod': [call.context.index(call.at), from.length] }] }
  return {
    '@choice': { values, ...(Array.isArray(weights) && { weights: weights.map((weight) => toNumber(weight) ?? 0) }) },
  }
}

function join(call: Call): Json {
  const { array, sep = '' } = call.fields
  const parts = Array.isArray(array) ? (valueOf(call, 'array') as readonly Json[]) : []
  return { '@concat': parts.flatMap((part, i) => (i > 0 && sep !== '' ? [sep, part] : [part])) }
}

/** Formats of C with a width at most: `%04d`, `%s`. */
function format(call: Call): Json {
  const values = (valueOf(call, 'withArgs') ?? []) as readonly Json[]
  let next = 0
  const parts = String(call.fields['format'])
    .split(/(%\d*[ds])/)
    .filter((part) => part !== '')
  return {
    '@concat': parts.map((part): Json => {
      const [, zero = '', width] = /^%(0?)(\d*)[ds]$/.exec(part) ?? []
      if (width === undefined)
        return part.includes('%') ? call.context.findings.refuse(call.at, `the format ${part}`) : part
      const value = values[next++] ?? null
      return width === '' ? value : { '@padStart': [value, Number(width), zero === '' ? ' ' : '0'] }
    }),
  }
}

const keysAndValues = (call: Call): Json => [valueOf(call, 'havingKeys'), valueOf(call, 'andValues')]
const octet: Json = { '@int': { min: 0, max: 255 } }
const firstOctet: Json = { '@int': { min: 0, max: 127 } }
const fixedValue = (of: Json): Json => ({ '@pickValue': { of, count: 1 } })

/** Generators of genny by their names. */
const generators: Readonly<Record<string, Generator>> = {
  '^RandomInt': byDistribution(wholeDistributions),
  '^RandomDouble': byDistribution(doubleDistributions),
  '^RandomString': string,
  '^FastRandomString': string,
  '^Inc': {
    fields: ['start', 'step', 'multiplier', 'end'],
    make: (call) => ({ '@toLong': counted(call, toNumber(call.fields['start']) ?? 1) }),
  },
  '^IncDate': {
    fields: ['start', 'step', 'multiplier'],
    make: (call) => counted(call, dateOf(call, call.fields['start'], '1970-01-01')),
  },
  '^RandomDate': {
    fields: ['min', 'max'],
    make: (call) => ({
      '@date': {
        min: dateOf(call, call.fields['min'], '1970-01-01'),
        // Its upper bound is excluded.
        max: dateOf(call, call.fields['max'], '2150-01-01', 1),
      },
    }),
  },
  '^Date': { make: (call) => dateOf(call, call.argument, '1970-01-01') },
  '^Now': { make: ({ context }) => context.now },
  '^Null': { make: () => null },
  '^Verbatim': { make: ({ argument }) => ({ '@literal': argument }) },
  '^IP': { fields: [], make: () => ({ '@concat': [firstOctet, '.', octet, '.', octet, '.', octet] }) },
  '^ObjectId': {
    make({ argument, at, context }) {
      if (argument === '' || argument === null || (isObject(argument) && Object.keys(argument).length === 0))
        return { '@objectId': {} }
      return typeof argument === 'string'
        ? { $oid: argument }
        : context.findings.refuse(at, 'an ObjectId of a drawn text')
    },
  },
  '^Choose': { fields: ['from', 'weights', 'deterministic'], make: choose },
  '^Join': { fields: ['array', 'sep'], make: join },
  '^FormatString': { fields: ['format', 'withArgs'], make: format },
  '^Array': {
    fields: ['of', 'number', 'distinct'],
    make: (call) => ({
      '@array': {
        size: lengthOf(call, 'number'),
        of: valueOf(inOther(call), 'of'),
        ...(call.fields['distinct'] === true && { distinct: true }),
      },
    }),
  },
  '^Object': {
    fields: ['withNEntries', 'havingKeys', 'andValues', 'duplicatedKeys'],
    make: (call) => ({
      '@arrayToObject': { '@array': { size: lengthOf(call, 'withNEntries'), of: keysAndValues(inOther(call)) } },
    }),
  },
  '^FlattenOnce': {
    make({ argument, at, context }) {
      const lists = readGennyValue(argument, at, context)
      return Array.isArray(lists) ? (lists.flat() as readonly Json[]) : lists
    },
  },
  '^FixedGeneratedValue': {
    fields: ['fromGenerator'],
    make: (call) => fixedValue(valueOf(inOther(call), 'fromGenerator')),
  },
  '^BinData': {
    fields: ['numBytes'],
    make: (call) => fixedValue({ '@binary': { size: wholeOf(call, 'numBytes', 32) } }),
  },
  '^Cycle': {
    fields: ['ofLength', 'fromGenerator'],
    make(call) {
      call.context.findings.remark('values of ^Cycle are drawn in any order, and not in turn')
      return { '@pickValue': { of: valueOf(inOther(call), 'fromGenerator'), count: wholeOf(call, 'ofLength', 1) } }
    },
  },
}
