import { thisMachine } from '../servers/machine.ts'
import { createStartContext } from '../servers/targets/start/start-context.ts'
import { type StartContext } from '../servers/targets/target.ts'
import { type CliContext } from './cli-context.ts'
import { type Uris } from './options/servers.ts'

type StartFlags = { readonly mongod?: string; readonly allowRemote?: boolean }

/** How to start and reach servers, from the command line and the environment. To be disposed after the last of them. */
export const createContextFromFlags = (
  { mongod, allowRemote = false }: StartFlags,
  { get }: Pick<Uris, 'get'>,
  { env, stop }: Pick<CliContext, 'env' | 'stop'>,
  log: (message: string) => void = () => {},
): StartContext & AsyncDisposable =>
  createStartContext({ machine: thisMachine(env), mongod, uri: get, allowRemote, signal: stop, log })
