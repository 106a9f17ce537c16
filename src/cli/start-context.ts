import { thisMachine } from '../servers/machine.ts'
import { createStartContext } from '../servers/targets/start/start-context.ts'
import { type StartContext } from '../servers/targets/target.ts'
import { type CliContext } from './cli-context.ts'
import { type ServerFlags } from './options/spec-options.ts'
import { type Uris } from './options/uris.ts'
import { showFetching } from './terminal/show-fetching.ts'

/** The environment, in which an option goes before its variable. */
export const envWith = (
  env: CliContext['env'],
  { mongos }: { readonly mongos?: string | undefined },
): CliContext['env'] => (mongos === undefined ? env : { ...env, MONGO_PERF_MONGOS: mongos })

/** How to start and reach servers, from the command line and the environment. To be disposed after the last of them. */
export const createContextFromFlags = (
  { mongod, mongos, allowRemote = false }: Pick<ServerFlags, 'mongod' | 'mongos' | 'allowRemote'>,
  { get, givenAs }: Pick<Uris, 'get' | 'givenAs'>,
  { env, stop, ...terminal }: Pick<CliContext, 'env' | 'stop' | 'printStatus' | 'rewrite' | 'rewrites'>,
  log: (message: string) => void = () => {},
): StartContext & AsyncDisposable =>
  createStartContext({
    machine: thisMachine(envWith(env, { mongos })),
    mongod,
    uri: get,
    givenAs,
    allowRemote,
    signal: stop,
    log,
    onFetch: showFetching(terminal),
  })
