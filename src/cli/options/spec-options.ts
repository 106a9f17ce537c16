import { type Command, Option } from 'commander'
import { Problem } from '../../core/errors.ts'
import { type GuardedKey, guardedKeys, isGuarded } from '../../language/values/keys.ts'
import { type EngineKind, engineKinds } from '../../load/engines/engine-kinds.ts'
import { type Overrides } from '../../spec/parse/overrides.ts'
import { parseSetting } from './arguments.ts'
import { readServers, withFacts } from './servers.ts'

/** Adds the options that change a spec. */
export function withSpecOptions(command: Command): Command {
  withWorkOptions(command)
    .option('--servers <name=uri,…>', 'measure each of these servers instead (repeatable)', collect)
    .option('--facts <server.name=value>', 'a fact about one of the --servers, for the report (repeatable)', collect)
    .option('--threshold <text>', 'add a threshold, such as "findOne.p99Ms < 5" (repeatable)', collect)
    .option('--abort-on-threshold', 'end the run after the first row that misses a threshold')
  return withPermissions(command)
}

/** Adds the options that change what is done. */
export function withWorkOptions(command: Command): Command {
  return command
    .option('--profile <name>', 'use the parameters of a profile of the spec')
    .option('--set <name=value>', 'set a parameter (repeatable)', collect)
    .option('--engine <name>', 'measure all phases with this engine, "driver" or "wire"')
    .option('--functions <module>', 'the functions of the spec: what this module exports. Loading it runs its code')
    .option('--only <row>', 'run only rows with "name=value" or with this label (repeatable, to narrow)', collect)
}

/** The option for servers that serve one run alone. */
export const freshServersOption = (): Option =>
  new Option(
    '--fresh-servers',
    'start new servers for every run of every row (default: runs that need the same servers share them)',
  )

/** The options for what is measured and started, as parsed. */
export type ServerFlags = {
  readonly target?: 'existing'
  readonly uri?: readonly string[]
  readonly allowRemote?: boolean
  readonly mongod?: string
  readonly mongos?: string
}

/** Adds the options for what is measured, and for what is started where nothing runs. */
export const withServerOptions = (command: Command): Command =>
  command
    .addOption(
      new Option('--target <kind>', 'measure the server of MONGO_PERF_URI instead of the spec’s target').choices([
        'existing',
      ]),
    )
    .option('--uri <uri>', 'measure this server instead; or name=uri for a named one (repeatable)', collect)
    .option('--allow-remote', 'allow servers on other machines')
    .option('--mongod <path>', 'the mongod to start')
    .option('--mongos <path>', 'the mongos to start for sharded clusters')

/** Adds the options that allow what is refused otherwise. */
export const withPermissions = (command: Command): Command =>
  withDataPermissions(command).option(
    '--allow-step-down',
    'allow a `stepDown` fault on a server that mongo-perf did not start',
  )

/** Adds those of them that concern what is read and written. */
export function withDataPermissions(command: Command): Command {
  return command
    .option(
      '--allow-writes <db.collection>',
      'allow writes to a collection that mongo-perf did not create (repeatable)',
      collect,
    )
    .option(
      '--allow <operator>',
      'allow an operator that the spec lists in "allow", such as \'$where\', in quotes (repeatable)',
      collect,
    )
}

/** Collects the values of a repeatable option. */
export const collect = (value: string, earlier: readonly string[] = []): readonly string[] => [...earlier, value]

/** The options that change a spec, as parsed. */
export type SpecFlags = {
  readonly profile?: string
  readonly set?: readonly string[]
  readonly engine?: string
  /** The default of the project: that of specs that name none. */
  readonly usualEngine?: EngineKind
  readonly functions?: string
  readonly only?: readonly string[]
  readonly freshServers?: boolean
  readonly servers?: readonly string[]
  readonly facts?: readonly string[]
  readonly threshold?: readonly string[]
  readonly abortOnThreshold?: boolean
  readonly allowWrites?: readonly string[]
  readonly allow?: readonly string[]
  readonly allowStepDown?: boolean
  /** Made by `size` from options of its own. */
  readonly findRate?: Overrides['findRate'] | undefined
}

/** Converts the options to overrides. */
export function toOverrides(flags: SpecFlags): Overrides {
  const {
    profile,
    set = [],
    engine,
    usualEngine,
    only = [],
    servers = [],
    facts = [],
    threshold: thresholds = [],
    abortOnThreshold,
    allowWrites = [],
    allow = [],
    allowStepDown,
    freshServers,
    findRate,
  } = flags
  return {
    profile,
    engine: engine === undefined ? undefined : parseEngine(engine),
    usualEngine,
    only,
    thresholds,
    abortOnThreshold,
    allowWrites,
    allowStepDown,
    freshServers,
    findRate,
    servers: withFacts(readServers(servers), facts),
    allow: allow.map(parseAllowed),
    set: Object.fromEntries(set.map(parseSet)),
  }
}

export function parseEngine(text: string): EngineKind {
  const found = engineKinds.find((kind) => kind === text)
  if (found !== undefined) return found
  throw new Problem('usage', `There is no engine "${text}"`, {
    hint: 'Write --engine driver for the official driver, or --engine wire for connections of mongo-perf.',
  })
}

/** Without quotes a shell replaces `$where` by the value of a variable. */
export function parseAllowed(text: string): GuardedKey {
  if (isGuarded(text)) return text
  throw new Problem('usage', `--allow takes one of ${guardedKeys.join(', ')}, not "${text}"`, {
    hint: "Put it in single quotes: --allow '$where'.",
  })
}

function parseSet(text: string): ReturnType<typeof parseSetting> {
  if (text.indexOf('=') > 0) return parseSetting(text)
  throw new Problem('usage', `--set ${text} does not name a parameter and a value`, {
    hint: 'Write --set documents=1000.',
  })
}
