import { type Machine, stateFolder } from '../../machine.ts'
import { createSupervisor, makeStateFolder } from '../server/guardian/supervisor.ts'
import { thisHost } from '../server/limits/check-limits.ts'
import { systemResources } from '../server/preflight.ts'
import { type FindContext, type FoundBinary } from '../server/programs/find-program.ts'
import { findMongod, findMongos } from '../server/programs/programs.ts'
import { type StartContext } from '../target.ts'

/** Options of a start context: the machine, the URIs, the permissions and the path of the `mongod`. */
export type StartOptions = Pick<StartContext, 'uri' | 'givenAs' | 'allowRemote' | 'signal' | 'log' | 'lent'> &
  Pick<FindContext, 'onFetch'> & {
    readonly machine: Machine
    /** Path from `--mongod`: goes before that of a spec. */
    readonly mongod?: string | undefined
  }

/** Creates the environment in which targets start, for one run on a real machine. Disposed after the last target. */
export function createStartContext(options: StartOptions): StartContext & AsyncDisposable {
  const { machine, mongod, uri, givenAs, allowRemote, signal, log, lent, onFetch } = options
  const context = { machine, signal, log, onFetch }
  const state = stateFolder(machine)
  const supervisor = createSupervisor(state)
  return {
    supervisor,
    tempFolder: machine.tempFolder,
    mongod: oncePerRequest(async (wanted) => {
      // Before anything is fetched for a server that could not be started.
      makeStateFolder(state)
      // It begins meanwhile; the first server waits for it, and fails where it has failed.
      supervisor.guard().catch(() => undefined)
      return findMongod({ ...wanted, binary: mongod ?? wanted.binary }, context)
    }),
    mongos: oncePerRequest((wanted) => findMongos(wanted, context)),
    resources: systemResources,
    host: thisHost(),
    home: machine.home,
    uri,
    givenAs,
    allowRemote,
    signal,
    log,
    lent,
    [Symbol.asyncDispose]: () => supervisor[Symbol.asyncDispose](),
  }
}

/** A look-up runs programs, and may have to fetch: equal requests are looked up once. */
function oncePerRequest<Wanted>(
  find: (wanted: Wanted) => Promise<FoundBinary>,
): (wanted: Wanted) => Promise<FoundBinary> {
  const found = new Map<string, Promise<FoundBinary>>()
  return (wanted) => {
    const key = JSON.stringify(wanted)
    const known = found.get(key) ?? find(wanted)
    found.set(key, known)
    return known
  }
}
