import { Problem } from '../../core/errors.ts'
import { type Json } from '../../core/json.ts'
import { findDriver } from '../../load/engines/driver/installed-driver.ts'
import { type EngineKind } from '../../load/engines/engine-kinds.ts'
import { findFunctions } from '../../load/engines/load-functions.ts'
import { type OwnColumns } from '../../metrics/columns/own-column.ts'
import { type DifferenceName, differenceNames } from '../../report/comparison/difference-names.ts'
import { type SideName } from '../../results/schema/pairing.ts'
import { variablesRead } from '../../run/preflight/unread-uris.ts'
import { type OwnLoad } from '../../run/run-environment.ts'
import { parseUri } from '../../servers/targets/existing/reach-existing.ts'
import { type LoadedSpec } from '../../spec/load-spec.ts'
import { type SpecInput } from '../../spec/spec-input.ts'
import { loadSpec } from '../../spec/spec-text.ts'
import { type OwnSide, type SideRun } from './run-side.ts'

export type SideOptions = {
  /** Another spec. Default: the one that is given for both. */
  readonly spec?: string | SpecInput
  /** Parameters of the spec, and parts of it by their paths: `target.server.cacheGB`. */
  readonly set?: Readonly<Record<string, Json>>
  readonly engine?: EngineKind
  /** The driver that sends the calls: the folder of an installed package, or its name. Default: that of mongo-perf. */
  readonly driver?: string
  /** Path of the module whose exports are the functions of the spec, such as one of another branch. Its code runs in the process of the side. */
  readonly functions?: string
  /** Path of the `mongod` to start. */
  readonly mongod?: string
  /** The variable whose URI replaces the target of the spec, such as MONGO_PERF_URI_NEW. */
  readonly uriFrom?: string
  /** The URI itself, in the place of a variable. A secret: results and messages have its hosts. */
  readonly uri?: string
}

export type CommonOptions = Pick<
  SideRun,
  'overrides' | 'functions' | 'mongod' | 'givenAs' | 'allowRemote' | 'compact'
> & {
  readonly uriFrom: string | undefined
  /** URIs by their variables, among other variables. Secrets. */
  readonly uris: Readonly<Record<string, string | undefined>>
  readonly workingFolder: string
  readonly own?: OwnSides | undefined
}

/** The same for both sides, with the columns of its results, and the database that it loads. */
export type OwnSides = OwnSide & Pick<OwnLoad, 'database'> & { readonly columns: OwnColumns }

export type Side = {
  readonly loaded: LoadedSpec
  /** The variable whose URI replaces its target. */
  readonly uriFrom: string | undefined
  readonly run: SideRun
  /** Settings of this side alone, for readers: "workers=8", "engine:wire". */
  readonly settings: readonly string[]
}

/**
 * Validates a side before anything runs.
 * @throws {Problem} if its spec is invalid, or what it names does not exist.
 */
export async function prepareSide(
  given: string | SpecInput,
  options: SideOptions,
  common: CommonOptions,
): Promise<Side> {
  const { spec = given, set = {}, engine, driver, mongod, functions = common.functions } = options
  const server = chooseServer(options, common)
  const overrides: SideRun['overrides'] = {
    ...common.overrides,
    set: { ...common.overrides.set, ...set },
    engine: engine ?? common.overrides.engine,
    existing: server !== undefined,
  }
  // The names of a module are known in the process of the side, where its code runs.
  const loaded = await loadSpec(spec, {
    ...overrides,
    columns: common.own?.columns,
    ...(functions === undefined && { functions: {} }),
  })
  return {
    loaded,
    uriFrom: server?.uriFrom,
    settings: listSideSettings(options, loaded, options.uri && server?.name),
    run: {
      spec,
      overrides,
      uri: server?.uri,
      uris: server === undefined ? urisFor(loaded, common.uris) : {},
      givenAs: server === undefined ? common.givenAs : { MONGO_PERF_URI: server.name },
      allowRemote: common.allowRemote,
      mongod: mongod ?? common.mongod,
      driver: driver === undefined ? undefined : findDriver(driver, common.workingFolder),
      functions: functions === undefined ? undefined : findFunctions(functions, common.workingFolder),
      repeat: loaded.repeat.startUpRuns + 1,
      compact: common.compact,
      ...(common.own !== undefined && { own: { process: common.own.process, given: common.own.given } }),
    },
  }
}

/** The server in the place of the target, and how settings and messages name it. */
function chooseServer({ uri, uriFrom }: SideOptions, { uris, givenAs, ...common }: CommonOptions) {
  if (uri !== undefined) return { uri, name: parseUri(uri, 'a side').hosts.join(','), uriFrom: undefined }
  const variable = uriFrom ?? common.uriFrom
  if (variable === undefined) return undefined
  return { uri: requireUri(variable, uris), name: givenAs[variable] ?? variable, uriFrom: variable }
}

function listSideSettings(options: SideOptions, { name }: LoadedSpec, uri = options.uriFrom): readonly string[] {
  const { spec, set = {}, engine, driver, functions, mongod } = options
  const named = { engine, driver, functions, mongod, uri }
  return [
    ...(spec === undefined ? [] : [`spec:${name}`]),
    ...Object.entries(set).map(([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`),
    ...Object.entries(named).flatMap(([kind, value]) => (value === undefined ? [] : [`${kind}:${value}`])),
  ]
}

function requireUri(variable: string, uris: CommonOptions['uris']): string {
  const uri = uris[variable]
  if (uri !== undefined && uri !== '') return uri
  throw new Problem('usage', `${variable} is not set, and a side is measured on its server`, {
    hint: `Set ${variable} to the URI of that server.`,
  })
}

function urisFor(loaded: LoadedSpec, uris: CommonOptions['uris']): Readonly<Record<string, string>> {
  const known = [...variablesRead([loaded])].map((variable) => [variable, uris[variable]] as const)
  return Object.fromEntries(known.flatMap(([variable, uri]) => (uri === undefined ? [] : [[variable, uri]])))
}

/** Differences that a setting may cause. */
type Consequences = {
  /** Is the point: a report says so where it is the same on both sides. */
  readonly certain: readonly DifferenceName[]
  readonly possible: readonly DifferenceName[]
}

const consequences: Readonly<Record<keyof SideOptions, Consequences>> = {
  spec: { certain: [], possible: ['spec', 'topology', 'server', 'engine', 'load'] },
  // A parameter may stand anywhere in the spec.
  set: { certain: [], possible: ['spec', 'topology', 'server', 'engine', 'load'] },
  engine: { certain: ['engine'], possible: [] },
  driver: { certain: ['driver'], possible: [] },
  functions: { certain: [], possible: [] },
  mongod: { certain: ['server'], possible: [] },
  // The server of the other side may be the target of the spec.
  uriFrom: { certain: [], possible: ['spec', 'topology', 'server', 'machine'] },
  uri: { certain: [], possible: ['spec', 'topology', 'server', 'machine'] },
}

/**
 * Lists the differences that are the point of the comparison.
 * @param found The differences that were found.
 */
export function intendedDifferences(
  sides: Readonly<Record<SideName, SideOptions>>,
  found: readonly DifferenceName[],
): readonly DifferenceName[] {
  const given = optionNames.filter((name) => sides.a[name] !== undefined || sides.b[name] !== undefined)
  const [certain, possible] = (['certain', 'possible'] as const).map(
    (kind) => new Set(given.flatMap((name) => consequences[name][kind])),
  )
  return differenceNames.filter((name) => certain?.has(name) || (possible?.has(name) && found.includes(name)))
}

const optionNames = Object.keys(consequences) as readonly (keyof SideOptions)[]
