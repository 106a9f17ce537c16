import { Problem } from '../../../core/errors.ts'
import { checkLimits } from '../server/limits/check-limits.ts'
import { type ServerLimits } from '../server/limits/server-limits.ts'
import { checkRoom } from '../server/preflight.ts'
import { type MongodProcess, type MongodRequest, startMongod } from '../server/process/mongod-process.ts'
import { refuseUsedFolder } from '../server/process/server-folders.ts'
import { type FoundBinary } from '../server/programs/find-program.ts'
import { type Member, type StartContext } from '../target.ts'

/** A `mongod` to start, before its binary is known. */
export type ServerRequest = Omit<MongodRequest, 'binary'>

/** Servers of ours that answer, in the order in which they were asked for. Disposing stops them all. */
export type Servers = AsyncDisposable & {
  readonly processes: readonly MongodProcess[]
  /** See `MongodProcess.changeLimits`; one for each, in their order. */
  readonly changeLimits: (limits: readonly (ServerLimits | null)[]) => Promise<Servers>
}

/** Checks that the machine can hold them, then starts all at once. When one fails, none is left. */
export async function startServers(wanted: readonly ServerRequest[], context: StartContext): Promise<Servers> {
  const requests = context.needs?.testCommands ? wanted.map(withTestCommands) : wanted
  await checkFolders(requests)
  for (const { options } of requests) await checkLimits(options, context.tempFolder, context.host)
  await checkRoom(
    requests.map(({ options }) => options),
    context.tempFolder,
    context.resources,
    context.log,
  )
  const binaries = await findBinaries(requests, context)
  const start = (request: ServerRequest, index: number): Promise<MongodProcess> =>
    startMongod({ ...request, binary: binaries[index]?.path ?? '' }, context)
  return together(await startAll(requests.map(start)))
}

const withTestCommands = (request: ServerRequest): ServerRequest => {
  const { options } = request
  return { ...request, options: { ...options, setParameters: { ...options.setParameters, enableTestCommands: 1 } } }
}

const together = (processes: readonly MongodProcess[]): Servers => ({
  processes,
  changeLimits: async (limits) =>
    together(await Promise.all(processes.map((process, index) => process.changeLimits(limits[index] ?? null)))),
  [Symbol.asyncDispose]: () => stopAll(processes),
})

/** A process of ours, as a member of its target. */
export const createMember = ({ name, host, limits, directIO, setsLooks }: MongodProcess): Member => ({
  name,
  host,
  limits,
  directIO,
  setsLooks,
})

/** Aborts when one of them has ended by itself. */
export const anyLost = (processes: readonly Pick<MongodProcess, 'lost'>[]): AbortSignal =>
  AbortSignal.any(processes.map(({ lost }) => lost))

/** Before any member makes a folder of its own in the same place. */
async function checkFolders(requests: readonly ServerRequest[]): Promise<void> {
  for (const { options } of requests) {
    if (options.dbPath !== undefined) await refuseUsedFolder(options.dbPath, 'dbPath')
    if (options.journalPath !== undefined) await refuseUsedFolder(options.journalPath, 'journalPath')
    if (options.journalPath !== undefined && options.journalPath === options.dbPath) {
      throw new Problem('spec-invalid', '"journalPath" and "dbPath" name the same folder', {
        hint: 'Leave "journalPath" out to have the journal beside the data.',
      })
    }
  }
}

/** One after the other: a look-up may have to fetch. */
async function findBinaries(requests: readonly ServerRequest[], { mongod }: StartContext): Promise<FoundBinary[]> {
  const found: FoundBinary[] = []
  for (const { options } of requests) found.push(await mongod({ binary: options.binary, version: options.version }))
  return found
}

type Stoppable = { readonly stop: () => Promise<void> }

/** Waits for processes that start together. When one fails, none is left. */
export async function startAll<Process extends Stoppable>(
  starts: readonly Promise<Process>[],
): Promise<readonly Process[]> {
  const ends = await Promise.allSettled(starts)
  const processes = ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : []))
  const failure = ends.find((end) => end.status === 'rejected')
  if (failure) {
    await stopAll(processes)
    throw failure.reason
  }
  return processes
}

/** Stops all processes in parallel, then throws the first error, if any. */
export async function stopAll(processes: readonly Stoppable[]): Promise<void> {
  const stops = await Promise.allSettled(processes.map((process) => process.stop()))
  const failure = stops.find((stop) => stop.status === 'rejected')
  if (failure) throw failure.reason
}

/** Ends all of them, also when one fails. */
export async function disposeAll(parts: readonly AsyncDisposable[]): Promise<void> {
  const ends = await Promise.allSettled(parts.map((part) => part[Symbol.asyncDispose]()))
  const failure = ends.find((end) => end.status === 'rejected')
  if (failure) throw failure.reason
}
