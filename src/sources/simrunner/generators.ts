import { type Json, type Path } from '../../core/json.ts'
import { type Findings } from '../workloads/findings.ts'
import { listIn } from '../workloads/parse-yaml.ts'
import {
  fullName,
  generate,
  type Generated,
  type Generators,
  joined,
  lengthBetween,
  readValue,
} from '../workloads/values.ts'

/** Names and numbers that the values of a template or a workload may refer to. */
export type SimRunnerContext = {
  readonly findings: Findings
  /** Resolves "#name". Undefined: it stands for nothing. */
  readonly reference: (name: string) => Json | undefined
  readonly now: Json
  /** The number of a document. Undefined: there is none in operations. */
  readonly sequence: Json | undefined
}

/** A value of SimRunner, whose generators begin with "%" and whose references begin with "#". */
export function readSimRunnerValue(json: Json, path: Path, context: SimRunnerContext): Json {
  const { findings, reference } = context
  const read = (one: Json, at: Path): Json => readSimRunnerValue(one, at, context)
  return readValue(json, path, {
    findings,
    text(text, at) {
      if (text.startsWith('%')) return generate(generators, [text, {}, at], context, read)
      if (!text.startsWith('#')) return text
      return reference(text.replace(/^##?/, '')) ?? findings.refuse(at, `the reference ${text}`)
    },
    generator: (name, argument, at) =>
      name.startsWith('%') ? generate(generators, [name, argument, at], context, read) : readDate(name, argument),
  })
}

/** Java reads a date without a time. */
const readDate = (name: string, argument: Json): Json | undefined =>
  name === '$date' && typeof argument === 'string' && !Number.isNaN(Date.parse(argument))
    ? { $date: new Date(argument).toISOString() }
    : undefined

type Make = Generators<SimRunnerContext>[string]

const maxInt32 = 2 ** 31 - 1

/** Numbers whose upper bound is excluded, unless both are equal. */
const whole =
  (keyword: string, least: number): Make =>
  ({ get }) => {
    const [min, max] = [get('min', least), get('max', maxInt32)]
    const isFixed = typeof min === 'number' && typeof max === 'number'
    const below = isFixed ? Math.max(min, max - 1) : { '@max': [min, { '@subtract': [max, 1] }] }
    return { [keyword]: { min, max: below } }
  }

const word =
  (words: string): Make =>
  () => ({ '@oneOf': { words } })

const list = (size: Json, of: Json): Json => ({ '@array': { size, of } })
const readSize = ({ get }: Generated): Json => get('size', lengthBetween(get('min', 0), get('max', 10)))
const rounded = (drawn: Json): Json => ({ '@floor': { '@add': [drawn, 0.5] } })
const letters = 'abcdefghijklmnopqrstuvwxyz'
const randomLetters: Readonly<Record<string, string>> = { '&': '0123456789', '?': letters, '!': letters.toUpperCase() }

/** Generators of SimRunner by their names. Others are methods of JavaFaker. */
const generators: Generators<SimRunnerContext> = {
  '%objectid': () => ({ '@objectId': {} }),
  '%integer': whole('@int', -maxInt32 - 1),
  '%number': whole('@int', -maxInt32 - 1),
  '%natural': whole('@int', 0),
  '%long': whole('@long', -maxInt32 - 1),
  '%double': ({ get }) => ({ '@double': { min: get('min', 0), max: get('max', 1e308) } }),
  '%decimal': ({ get }) => ({ '@decimal': { min: get('min', 0), max: get('max', maxInt32), digits: 6 } }),
  '%gaussian'({ get }) {
    const drawn = { '@gaussian': { mean: get('mean', 0), sigma: get('sd', 1) } }
    const type = get('type')
    return type === 'int' ? { '@toInt': rounded(drawn) } : type === 'long' ? { '@toLong': rounded(drawn) } : drawn
  },
  '%bool': () => ({ '@choice': { values: [true, false] } }),
  '%now': (_, { now }) => now,
  '%date': ({ get }) => ({
    '@date': { min: get('min', { $date: '1970-01-01T00:00:00Z' }), max: get('max', { $date: '2036-01-01T00:00:00Z' }) },
  }),
  '%binary'({ get }) {
    const size = get('size', 512)
    if (get('as') !== 'hex') return { '@binary': { size } }
    return { '@string': { length: 2 * Number(size), alphabet: '0123456789ABCDEF' } }
  },
  '%sequence': (_, { sequence }) => (sequence === undefined ? undefined : { '@toLong': sequence }),
  '%uuidString': () => ({ '@toString': { '@uuid': {} } }),
  '%uuidBinary': () => ({ '@uuid': {} }),
  '%array': (given) => list(readSize(given), given.value('of')),
  '%keyValueMap': (given) => ({ '@arrayToObject': list(readSize(given), [given.get('key'), given.value('value')]) }),
  '%oneOf'({ get, value }) {
    const weights = get('weights')
    return { '@choice': { values: value('options'), ...(weights !== null && { weights }) } }
  },
  '%dictionary': ({ get }, { reference }) => reference(String(get('name'))),
  '%dictionaryConcat'({ get }, { reference }) {
    const [picked, length] = [reference(String(get('from'))), get('length')]
    if (picked === undefined || typeof length !== 'number') return undefined
    return joined(
      Array.from({ length }, () => picked),
      get('sep', ' '),
    )
  },
  '%stringTemplate'({ get }) {
    const parts = [...String(get('template'))].map((letter): Json => {
      const drawn = randomLetters[letter]
      return drawn === undefined ? letter : { '@string': { length: 1, alphabet: drawn } }
    })
    return joined(parts, '')
  },
  '%stringConcat': ({ get }) => joined(listIn(get('of')), get('sep', '')),
  '%toString': ({ get }) => ({ '@toString': get('of') }),
  '%sum': ({ get }) => ({ '@add': get('of') }),
  '%product': ({ get }) => ({ '@multiply': get('of') }),
  '%mod': ({ get }) => ({ '@mod': [get('of'), get('by')] }),
  '%name.firstName': word('names.en'),
  '%name.lastName': word('surnames.en'),
  '%name.fullName': () => fullName,
  '%address.city': word('cities.en'),
  '%lorem.sentence': word('sentences.en'),
  '%date.birthday': () => ({ '@date': { min: '1960-01-01T00:00:00Z', max: '2007-12-31T00:00:00Z' } }),
}
