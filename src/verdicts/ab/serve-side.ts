import { startGuard } from '../../core/threads/guard/start-guard.ts'
import { requireDriver } from '../../load/engines/driver/installed-driver.ts'
import { packError, unpackError } from '../../load/threads/messages.ts'
import { type OwnColumns } from '../../metrics/columns/own-column.ts'
import { type OwnLoad } from '../../run/run-environment.ts'
import { runSpecFor } from '../../run/run-spec.ts'
import { type LentTarget } from '../../servers/targets/start/lent-target.ts'
import { type SideMessage, type SideRequest, type SideRun } from './run-side.ts'

/** Work of a side that is none of its spec. Empty: it runs its spec. */
export type OwnWork = { readonly ownLoad?: OwnLoad; readonly columns?: OwnColumns }

const stop = new AbortController()
let takeTurn: (seconds: number | undefined) => void = () => undefined
/** Aborts when the servers that were lent are gone. */
const lost = new AbortController()

/**
 * Runs a side in this process, as its parent asks; see run-side.ts.
 * @param open Makes the load of what the parent has given for it. Default: operations of the spec do.
 */
export function serveSide(open: (given: unknown) => Promise<OwnWork> = async () => ({})): void {
  // A Ctrl-C reaches the whole process group. The parent decides when this process ends.
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined)
  process.on('SIGTERM', () => stop.abort())

  // A parent that was killed wants no result, and one that goes after it has asked for the end does not wait for it.
  process.on('disconnect', () => (stop.signal.aborted ? process.exit() : stop.abort()))
  if (!process.connected) process.exit()

  process.on('uncaughtException', fail)
  startGuard(fail)

  process.on('message', (request: SideRequest) => {
    if (request.kind === 'stop') stop.abort()
    else if (request.kind === 'turn') takeTurn(request.seconds)
    else if (request.kind === 'lost') lost.abort(unpackError(request.error))
    else void measure(request.run, request.lent, open)
  })
}

function send(message: SideMessage, done = (): void => undefined): void {
  if (process.connected) process.send?.(message, done)
  else done()
}

/** Asks for the next turn. A run that is stopped gets none. */
const askForTurn = (): Promise<number | undefined> =>
  new Promise((resolve) => {
    takeTurn = resolve
    const end = (): void => resolve(undefined)
    if (stop.signal.aborted) end()
    stop.signal.addEventListener('abort', end, { once: true })
    lost.signal.addEventListener('abort', end, { once: true })
    send({ kind: 'waits' })
  })

async function measure(
  { spec, overrides, driver, functions, uri, turnsOf, own, ...options }: SideRun,
  lent: LentTarget | undefined,
  open: (given: unknown) => Promise<OwnWork>,
): Promise<void> {
  try {
    const { ownLoad, columns } = await open(own?.given)
    const compared = {
      ownLoad,
      givenAs: options.givenAs,
      lent: lent && { ...lent, lost: lost.signal },
      turns: turnsOf && { side: turnsOf, next: askForTurn },
    }
    const result = await runSpecFor(compared, spec, {
      ...overrides,
      ...(columns !== undefined && { columns }),
      uris: options.uris,
      allowRemote: options.allowRemote,
      repeat: options.repeat,
      compact: options.compact,
      signal: stop.signal,
      onProgress: (event) => {
        if (event.kind !== 'row') send({ kind: 'event', event })
      },
      ...(uri !== undefined && { uri }),
      ...(options.mongod !== undefined && { mongod: options.mongod }),
      ...(driver !== undefined && { driver: requireDriver(driver) }),
      ...(functions !== undefined && { functions }),
    })
    send({ kind: 'done', result }, () => process.exit())
  } catch (error) {
    fail(error)
  }
}

function fail(error: unknown): void {
  send({ kind: 'failed', error: packError(error) }, () => process.exit())
}
