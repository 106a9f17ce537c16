import { Problem } from '../../errors.ts'
import { type PhaseSpec } from '../../schema/phase-schema.ts'
import { type SpecRow } from '../../schema/read-rows.ts'
import { type TargetSpec } from '../../targets/index.ts'
import { type Resources } from '../../targets/server/preflight.ts'

/** Files of Node, of the program and of its results, pipes to helper processes. */
const besideServers = 64
/** A client watches each server over two connections. */
const watching = 2
/** The sampler of a member is a client with one connection for its questions. */
const sampling = watching + 1
/** The event loop of a thread. */
const perThread = 8

/**
 * Counts the open files that the rows need: sockets that are missing would show as calls that wait for ever.
 * @throws {Problem} when this process may not open so many.
 */
export async function preflightDescriptors(
  rows: readonly SpecRow[],
  { fileDescriptors }: Pick<Resources, 'fileDescriptors'>,
): Promise<void> {
  const have = await fileDescriptors()
  if (have === undefined) return
  for (const { spec, label } of rows) {
    for (const phase of spec.phases) {
      const need = descriptorsFor(phase, spec.target)
      if (need <= have) continue
      const where = label === '' ? '' : ` of the row "${label}"`
      throw new Problem(
        'not-measurable-here',
        `The phase "${phase.name}"${where} needs ${need} open files for its connections, and this process may have ${have}`,
        { hint: `Raise the limit (ulimit -n ${need}), or use fewer workers.` },
      )
    }
  }
}

/** As few as it can do with: what is refused could not run. */
export function descriptorsFor({ load, readPreference }: PhaseSpec, target: TargetSpec): number {
  const servers = serversOf(target)
  const { threads = 1 } = load
  // Reads that may go to secondaries have a connection for each worker to every one of them.
  const inUse = readPreference['mode'] === 'primary' || servers === 1 ? 1 : servers - 1
  const clients = threads + 1
  return (
    besideServers +
    servers * (sampling + watching * clients) +
    connectionsOf(load) * inUse +
    (threads > 1 ? threads * perThread : 0)
  )
}

function connectionsOf(load: PhaseSpec['load']): number {
  switch (load.kind) {
    case 'closed':
      return load.workers
    case 'open':
      return load.maxInFlight
    case 'findPeak':
      return load.to
  }
}

/** Those that clients connect to. Of a running deployment one is known so far. */
function serversOf(target: TargetSpec): number {
  switch (target.kind) {
    case 'existing':
    case 'standalone':
      return 1
    case 'replicaSet':
      return target.members.filter(({ arbiter, stopped }) => !arbiter && !stopped).length
    case 'sharded':
      return target.routers
  }
}
