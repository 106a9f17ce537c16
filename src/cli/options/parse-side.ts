import { type SideOptions } from '../../verdicts/ab/sides.ts'
import { Problem } from '../../core/errors.ts'
import { parseSetting } from './parse-setting.ts'
import { parseEngine } from './spec-options.ts'

/** A side as the command line gives it. */
export type GivenSide = {
  readonly options: SideOptions
  /** A URI that stands on the command line itself, by the variable that `options` name. A secret. */
  readonly uris: Readonly<Record<string, string>>
}

type SideLetter = 'A' | 'B'

/**
 * Parses the settings of a side: "name=value" is a parameter of the spec; the others have a kind, such as "engine:wire".
 * @throws {Problem} "usage" for what is no setting.
 */
export function parseSide(texts: readonly string[], side: SideLetter): GivenSide {
  return texts
    .map((text) => parseOne(text, side))
    .reduce((all, one) => ({ options: merged(all.options, one.options), uris: { ...all.uris, ...one.uris } }), {
      options: {},
      uris: {},
    })
}

function merged(all: SideOptions, one: SideOptions): SideOptions {
  const set = { ...all.set, ...one.set }
  return { ...all, ...one, ...(Object.keys(set).length > 0 && { set }) }
}

function parseOne(text: string, side: SideLetter): GivenSide {
  const [, kind = '', value = ''] = /^(\w+):(.+)$/s.exec(text) ?? []
  const parse = kinds[kind]
  if (parse !== undefined) return parse(value, side)
  if (text.indexOf('=') > 0) return optionsOnly({ set: Object.fromEntries([parseSetting(text)]) })
  const known = Object.keys(kinds).map((name) => `${name}:…`)
  throw new Problem('usage', `--${side.toLowerCase()} ${text} is no setting`, {
    hint: `Write name=value for a parameter of the spec, or ${known.join(', ')}.`,
  })
}

const optionsOnly = (options: SideOptions): GivenSide => ({ options, uris: {} })

const kinds: Readonly<Record<string, (value: string, side: SideLetter) => GivenSide>> = {
  engine: (value) => optionsOnly({ engine: parseEngine(value) }),
  driver: (driver) => optionsOnly({ driver }),
  functions: (functions) => optionsOnly({ functions }),
  mongod: (mongod) => optionsOnly({ mongod }),
  uri: parseUri,
}

function parseUri(value: string, side: SideLetter): GivenSide {
  if (/^mongodb(?:\+srv)?:\/\//.test(value)) {
    const uriFrom = `MONGO_PERF_URI_${side}`
    return { options: { uriFrom }, uris: { [uriFrom]: value } }
  }
  if (!/^\w+$/.test(value))
    throw new Problem('usage', 'The URI of a side is neither a MongoDB URI nor a name', {
      hint: 'Write uri:small for the server of MONGO_PERF_URI_SMALL, or uri:mongodb://host:27017/.',
    })
  return optionsOnly({ uriFrom: value.startsWith('MONGO_PERF_URI') ? value : `MONGO_PERF_URI_${value.toUpperCase()}` })
}
