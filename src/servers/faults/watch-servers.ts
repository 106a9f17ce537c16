import { type Clock } from '../../core/clock.ts'
import { type ElectionWatch } from '../../results/schema/faults.ts'
import { type KnownAddress, type ServerConnection } from './deployment.ts'
import { createPrimaryStrip, type PrimaryStrip } from './primary-strip.ts'
import { readState } from './read-state.ts'

/** Time between an answer and the next question. */
const everyMs = 50
/** A server that takes longer counts as silent since it was asked, until it answers. */
const patienceMs = 500

/** A running watch of the roles of servers. */
export type ServerWatch = {
  readonly strip: PrimaryStrip
  /** Ends the watch. @param startMs First measured call: the zero of its times. */
  readonly finish: (startMs: number) => Promise<ElectionWatch['primaries']>
}

/** Asks servers who they are, several times a second and each over a small connection of its own. Resolves when all were asked. */
export async function watchServers(servers: readonly KnownAddress[], clock: Clock): Promise<ServerWatch> {
  const strip = createPrimaryStrip(servers.map(({ name }) => name))
  const stop = new AbortController()
  const watches = servers.map(({ name, connect }) => ({ name, connection: connect() }))
  const first = watches.map((watch) => askOnce(watch, strip, clock, stop.signal))
  const loops = watches.map(async (watch, i) => {
    await first[i]
    while (!stop.signal.aborted) {
      await clock.sleep(everyMs, stop.signal)
      await askOnce(watch, strip, clock, stop.signal)
    }
  })
  await Promise.all(first.map((asked) => Promise.race([asked, clock.sleep(patienceMs * 2)])))
  return {
    strip,
    async finish(startMs) {
      stop.abort()
      await Promise.all(watches.map(({ connection }) => connection.close()))
      await Promise.all(loops)
      return inWindow(strip, startMs)
    },
  }
}

type Watched = { readonly name: string; readonly connection: ServerConnection }

/** Resolves when the server has answered, or its connection has ended: what is late is noted as silence at once. */
async function askOnce(
  { name, connection }: Watched,
  strip: PrimaryStrip,
  clock: Clock,
  stop: AbortSignal,
): Promise<void> {
  if (stop.aborted) return
  const askedMs = clock.now()
  const answered = new AbortController()
  void clock.sleep(patienceMs, answered.signal).then(() => {
    if (!answered.signal.aborted && !stop.aborted) strip.note(name, askedMs, undefined)
  })
  try {
    const state = readState(await connection.command({ hello: 1 }))
    answered.abort()
    strip.note(name, clock.now(), state)
  } catch {
    answered.abort()
    if (!stop.aborted) strip.note(name, askedMs, undefined)
  }
}

/** What was so when the window began stands at 0. */
function inWindow(strip: PrimaryStrip, startMs: number): ElectionWatch['primaries'] {
  const entries = strip
    .entries()
    .map(({ atMs, member, term }) => ({ atSeconds: (atMs - startMs) / 1000, member, term }))
  const before = entries.findLast(({ atSeconds }) => atSeconds <= 0)
  const inside = entries.filter(({ atSeconds }) => atSeconds > 0)
  return before === undefined ? inside : [{ ...before, atSeconds: 0 }, ...inside]
}

/** Rises with every rollback. Null: it does not answer, or is no member of a set. */
export async function rollbackIdOf({ command }: Pick<KnownAddress, 'command'>): Promise<number | null> {
  try {
    const { rbid } = await command({ replSetGetRBID: 1 })
    return typeof rbid === 'number' ? rbid : null
  } catch {
    return null
  }
}
