import { isObject, type Json, type JsonObject, type Path } from '../../core/json.ts'
import { type Findings } from '../workloads/findings.ts'
import { toNumber } from '../workloads/parse-yaml.ts'
import { lengthBetween, readValue } from '../workloads/values.ts'

/** What the values of a template or a workload may refer to. */
export type SimRunnerContext = {
  readonly findings: Findings
  /** What "#name" stands for. Undefined: nothing. */
  readonly reference: (name: string) => Json | undefined
  readonly now: Json
  /** The number of a document. Undefined: there is none in operations. */
  readonly sequence: Json | undefined
}

/** A value of SimRunner, whose generators begin with "%" and whose references begin with "#". */
export function readSimRunnerValue(json: Json, path: Path, context: SimRunnerContext): Json {
  const { findings } = context
  return readValue(json, path, {
    findings,
    text: (text, at) => (text.startsWith('%') ? generate(text, {}, at) : text.startsWith('#') ? refer(text, at) : text),
    generator: (name, argument, at) =>
      name.startsWith('%') ? generate(name, isObject(argument) ? argument : {}, at) : readDate(name, argument),
  })

  function generate(name: string, fields: JsonObject, at: Path): Json {
    const make = Object.hasOwn(generators, name) ? generators[name] : undefined
    if (!make) return findings.refuse(at, `the generator ${name}`)
    return (
      make(
        (field, otherwise) =>
          fields[field] === undefined ? otherwise : readSimRunnerValue(fields[field], [...at, field], context),
        context,
      ) ?? findings.refuse(at, `${name} in this form`)
    )
  }

  function refer(text: string, at: Path): Json {
    const name = text.replace(/^##?/, '')
    return context.reference(name) ?? findings.refuse(at, `the reference ${text}`)
  }
}

/** Java reads a date without a time. */
const readDate = (name: string, argument: Json): Json | undefined =>
  name === '$date' && typeof argument === 'string' && !Number.isNaN(Date.parse(argument))
    ? { $date: new Date(argument).toISOString() }
    : undefined

/** @returns the field of a generator, its values read, or what it is by default. */
type Get = (field: string, otherwise: Json) => Json

type Make = (get: Get, context: SimRunnerContext) => Json | undefined

const int32 = { min: -(2 ** 31), max: 2 ** 31 - 1 }

/** The upper bound is excluded, unless both are equal. */
function below(min: Json, max: Json): Json {
  const [from, to] = [toNumber(min), toNumber(max)]
  if (from === undefined || to === undefined) return { '@max': [min, { '@subtract': [max, 1] }] }
  return Math.max(from, to - 1)
}

const whole =
  (keyword: string, least: number): Make =>
  (get) => {
    const [min, max] = [get('min', least), get('max', int32.max)]
    return { [keyword]: { min: toNumber(min) ?? min, max: below(min, max) } }
  }

const listOf = (json: Json): readonly Json[] => (Array.isArray(json) ? (json as readonly Json[]) : [])
const size = (get: Get): Json => get('size', lengthBetween(get('min', 0), get('max', 10)))
const word =
  (words: string): Make =>
  () => ({ '@oneOf': { words } })
const letters = 'abcdefghijklmnopqrstuvwxyz'
const hexDigits = '0123456789ABCDEF'
const randomLetters: Readonly<Record<string, string>> = { '&': '0123456789', '?': letters, '!': letters.toUpperCase() }
const joined = (parts: readonly Json[], sep: Json): Json => ({
  '@concat': parts.flatMap((part, i) => (i > 0 && sep !== '' ? [sep, part] : [part])),
})
const gaussians: Readonly<Record<string, (drawn: Json) => Json>> = {
  int: (drawn) => ({ '@toInt': { '@floor': { '@add': [drawn, 0.5] } } }),
  long: (drawn) => ({ '@toLong': { '@floor': { '@add': [drawn, 0.5] } } }),
}

/** Generators of SimRunner by their names. Others are methods of JavaFaker. */
const generators: Readonly<Record<string, Make>> = {
  '%objectid': () => ({ '@objectId': {} }),
  '%integer': whole('@int', int32.min),
  '%number': whole('@int', int32.min),
  '%natural': whole('@int', 0),
  '%long': whole('@long', int32.min),
  '%double': (get) => ({ '@double': { min: get('min', 0), max: get('max', 1e308) } }),
  '%decimal': (get) => ({ '@decimal': { min: get('min', int32.min), max: get('max', int32.max), digits: 6 } }),
  '%gaussian': (get) =>
    (gaussians[String(get('type', 'double'))] ?? ((drawn: Json) => drawn))({
      '@gaussian': { mean: get('mean', 0), sigma: get('sd', 1) },
    }),
  '%bool': () => ({ '@choice': { values: [true, false] } }),
  '%now': (_, { now }) => now,
  '%date': (get) => ({
    '@date': { min: get('min', { $date: '1970-01-01T00:00:00Z' }), max: get('max', { $date: '2036-01-01T00:00:00Z' }) },
  }),
  '%binary': (get) =>
    get('as', '') === 'hex'
      ? { '@string': { length: 2 * (toNumber(get('size', 512)) ?? 0), alphabet: hexDigits } }
      : { '@binary': { size: get('size', 512) } },
  '%sequence': (_, { sequence }) => sequence && { '@toLong': sequence },
  '%uuidString': () => ({ '@toString': { '@uuid': {} } }),
  '%uuidBinary': () => ({ '@uuid': {} }),
  '%array': (get) => ({ '@array': { size: size(get), of: get('of', {}) } }),
  '%keyValueMap': (get) => ({
    '@arrayToObject': { '@array': { size: size(get), of: [get('key', null), get('value', null)] } },
  }),
  '%oneOf': (get) => ({
    '@choice': {
      values: get('options', []),
      ...(listOf(get('weights', [])).length > 0 && { weights: get('weights', []) }),
    },
  }),
  '%dictionary': (get, { reference }) => reference(String(get('name', ''))),
  '%dictionaryConcat': (get, { reference }) => {
    const [picked, length] = [reference(String(get('from', ''))), toNumber(get('length', 1))]
    return picked === undefined || length === undefined
      ? undefined
      : joined(
          Array.from({ length }, () => picked),
          get('sep', ' '),
        )
  },
  '%stringTemplate': (get) => ({
    '@concat': [...String(get('template', ''))].map((letter) =>
      randomLetters[letter] === undefined ? letter : { '@string': { length: 1, alphabet: randomLetters[letter] } },
    ),
  }),
  '%stringConcat': (get) => joined(listOf(get('of', [])), get('sep', '')),
  '%toString': (get) => ({ '@toString': get('of', null) }),
  '%sum': (get) => ({ '@add': get('of', []) }),
  '%product': (get) => ({ '@multiply': get('of', []) }),
  '%mod': (get) => ({ '@mod': [get('of', 0), get('by', 1)] }),
  '%name.firstName': word('names.en'),
  '%name.first': word('names.en'),
  '%name.lastName': word('surnames.en'),
  '%name.last': word('surnames.en'),
  '%name.fullName': () => ({
    '@concat': [{ '@oneOf': { words: 'names.en' } }, ' ', { '@oneOf': { words: 'surnames.en' } }],
  }),
  '%address.city': word('cities.en'),
  '%lorem.sentence': word('sentences.en'),
  '%date.birthday': () => ({ '@date': { min: '1960-01-01T00:00:00Z', max: '2007-12-31T00:00:00Z' } }),
}
