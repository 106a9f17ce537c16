import { Problem } from '../../core/errors.ts'
import { type GuardedKey, guardedKeys, isGuarded } from '../../language/values/keys.ts'
import { type EngineKind, engineKinds } from '../../load/engines/engine-kinds.ts'
import { type Overrides } from '../../spec/parse/overrides.ts'
import { parseSetting } from './arguments.ts'
import { collect, type Flags, option } from './option.ts'

/** The options that change what is done. */
export const workOptions = [
  option('--profile <name>', 'use the parameters of a profile of the spec'),
  option(
    '--set <name=value>',
    'set a parameter, or a part of the spec by its path, such as target.server.cacheGB=0.25 (repeatable)',
    collect,
  ),
  option('--engine <name>', 'measure all phases with this engine, "driver" or "wire"'),
  option('--functions <module>', 'the functions of the spec: what this module exports. Loading it runs its code'),
  option('--only <row>', 'run only rows with "name=value" or with this label (repeatable, to narrow)', collect),
]

/** The options that allow what is read and written. */
export const dataPermissions = [
  option(
    '--allow-writes <db.collection>',
    'allow writes to a collection that mongo-perf did not create (repeatable)',
    collect,
  ),
  option(
    '--allow <operator>',
    'allow an operator that the spec lists in "allow", such as \'$where\', in quotes (repeatable)',
    collect,
  ),
]

/** The options that allow what is refused otherwise. */
export const permissions = [
  ...dataPermissions,
  option('--allow-step-down', 'allow a `stepDown` fault on a server that mongo-perf did not start'),
]

export const specOptions = [
  ...workOptions,
  option('--threshold <text>', 'add a threshold, such as "findOne.p99Ms < 5" (repeatable)', collect),
  option('--abort-on-threshold', 'end the run after the first row that misses a threshold'),
  ...permissions,
]

/** The option for servers that serve one run alone. */
export const freshServersOption = option(
  '--fresh-servers',
  'start new servers for every run of every row (default: runs that need the same servers share them)',
)

/** The options for what is measured, and for what is started where nothing runs. */
export const serverOptions = [
  option('--target <kind>', 'measure the server of MONGO_PERF_URI instead of the spec’s target', {
    choices: ['existing'],
  }),
  option('--uri <uri>', 'measure this server instead; or name=uri for a named one (repeatable)', collect),
  option('--allow-remote', 'allow servers on other machines'),
  option('--mongod <path>', 'the mongod to start'),
  option('--mongos <path>', 'the mongos to start for sharded clusters'),
]

export type ServerFlags = Flags<typeof serverOptions>

/** Options that change a spec, as parsed, and what else decides it. */
export type SpecFlags = Flags<readonly ((typeof specOptions)[number] | typeof freshServersOption)[]> & {
  /** The default of the project: that of specs that name none. */
  readonly usualEngine?: EngineKind
  /** Made by `size` from options of its own. */
  readonly search?: Overrides['search'] | undefined
}

export const toOverrides = ({
  set = [],
  engine,
  allow = [],
  threshold: thresholds,
  ...flags
}: SpecFlags): Overrides => ({
  profile: flags.profile,
  engine: engine === undefined ? undefined : parseEngine(engine),
  usualEngine: flags.usualEngine,
  only: flags.only,
  thresholds,
  abortOnThreshold: flags.abortOnThreshold,
  allowWrites: flags.allowWrites,
  allowStepDown: flags.allowStepDown,
  freshServers: flags.freshServers,
  search: flags.search,
  allow: allow.map(parseAllowed),
  set: Object.fromEntries(set.map(parseSet)),
})

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
