import { type Document } from 'mongodb'
import { Problem } from '../../core/errors.ts'
import { sum } from '../../metrics/statistics.ts'
import { type TargetSpec } from '../../servers/targets/index.ts'
import { type Resources } from '../../servers/targets/server/preflight.ts'
import { type SpecRow } from '../../spec/fold/read-rows.ts'
import { isCalled } from '../../spec/operations/index.ts'
import { getStepConcerns, groupLoads, listMethods } from '../../spec/plan/phase-operations.ts'
import { loadAt } from '../../spec/plan/search-steps.ts'
import { resolvePool } from '../../spec/schema/connection-pool.ts'
import { type DataSetSpec } from '../../spec/schema/data-schema.ts'
import { type PhaseSpec } from '../../spec/schema/phase-schema.ts'
import { type Spec } from '../../spec/schema/schema.ts'

/** Files of Node, of the program and of its results, pipes to helper processes. */
const filesOfProgram = 64
/** A client watches each server over two connections. */
const watching = 2
/** The sampler of a member is a client with one connection for its questions. */
const sampling = watching + 1
/** Files that a mongod opens for a connection (measured with 6.0), and for everything else. */
const perConnection = 2
const filesOfServer = 256
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
    const files = sum(spec.data.map(countFiles))
    for (const loads of groupLoads(spec.phases)) {
      const here = sum(loads.map((load) => descriptorsFor(load, spec.target))) - descriptorsTwice(loads, spec.target)
      const there = spec.target.kind === 'existing' ? 0 : descriptorsOfServer(loads) + files
      const need = Math.max(here, there)
      if (need <= have) continue
      const limit = here > have ? `this process may have ${have}` : `a server that it starts may have ${have}`
      throw new Problem(
        'not-measurable-here',
        `The phase "${nameLoads(loads)}"${ofRow(label)} needs ${need} open files for its ${files > 0 ? 'collections and ' : ''}connections, and ${limit}`,
        {
          hint: `Raise the limit (ulimit -n ${need}), or use ${files > 0 ? 'fewer collections, ' : ''}a smaller "pool" of the phase, or fewer workers.`,
        },
      )
    }
  }
}

/** Names the row of a problem. The only row of a spec has no label. */
export const ofRow = (label: string): string => (label === '' ? '' : ` of the row "${label}"`)

/** Counts the minimum of descriptors for a phase: what is refused could not run. */
export function descriptorsFor(phase: PhaseSpec, target: TargetSpec): number {
  const { load, readPreference, operations } = phase
  const servers = countServers(target)
  const { threads = 1 } = load
  // Reads that may go to secondaries have a connection for each worker to every one of them.
  const preferences = [
    readPreference,
    ...operations
      .filter(isCalled)
      .flatMap(listMethods)
      .map(getStepConcerns)
      .flatMap(({ readPreference: own }) => own ?? []),
  ]
  const others = preferences.some(({ mode }) => mode !== 'primary') ? servers - 1 : 0
  const inUse = preferences.some(({ mode }) => mode === 'primary') ? 1 + others : Math.max(1, others)
  const clients = threads + 1
  return (
    filesOfProgram +
    servers * (sampling + watching * clients) +
    countConnections(phase) * inUse +
    (threads > 1 ? threads * perThread : 0)
  )
}

/** Files that parallel loads share. */
const descriptorsTwice = ({ length }: readonly PhaseSpec[], target: TargetSpec): number =>
  (length - 1) * (filesOfProgram + countServers(target) * sampling)

/** Open files of a server whose connections are those of the phase. */
const descriptorsOfServer = (loads: readonly PhaseSpec[]): number =>
  filesOfServer + perConnection * connectionsTo(loads)

/** Connections that a server gets of all loads of a phase, at most. */
const connectionsTo = (loads: readonly PhaseSpec[]): number =>
  sampling + sum(loads.map((load) => countConnections(load) + watching * ((load.load.threads ?? 1) + 1)))

const nameLoads = ([first]: readonly PhaseSpec[]): string => first?.parallel?.phase ?? first?.name ?? ''

/** Each of many collections is a file, and so is each of its indexes. */
const countFiles = ({ collections = [], indexes }: DataSetSpec): number => collections.length * (2 + indexes.length)

/**
 * Compares the connections of a row with those that a running server still takes.
 * @throws {Problem} when it takes fewer. A server that does not say is not asked twice.
 */
export async function checkConnections({ phases }: Pick<Spec, 'phases'>, admin: Admin): Promise<void> {
  const { connections } = (await admin.command({ serverStatus: 1 }).catch(() => ({}))) as ServerStatus
  if (connections === undefined) return
  for (const loads of groupLoads(phases)) {
    const need = connectionsTo(loads)
    if (need > connections.available)
      throw new Problem(
        'not-measurable-here',
        `The phase "${nameLoads(loads)}" needs ${need} connections, and the server takes ${connections.available} more`,
        {
          hint: 'Use a smaller "pool" of the phase, or fewer workers, or raise the limit of the server (net.maxIncomingConnections, ulimit -n).',
        },
      )
  }
}

type Admin = { readonly command: (command: Document) => Promise<Document> }
type ServerStatus = { readonly connections?: { readonly available: number } }

const countConnections = (phase: PhaseSpec): number =>
  Math.min(countCalls(phase), resolvePool(phase)?.maxPoolSize ?? Infinity)

/** Counts the calls that may be in flight. */
function countCalls(phase: PhaseSpec): number {
  const load = loadAt('to', phase)
  return load.kind === 'closed' ? load.workers : load.maxInFlight
}

/** Counts the servers that clients connect to. Of a running deployment one is known so far. */
function countServers(target: TargetSpec): number {
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
