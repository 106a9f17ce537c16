import { type Document } from 'bson'
import { type Clock } from '../../../core/clock.ts'
import { type ElectionWatch } from '../../../results/schema/faults.ts'
import { type KnownServer, findPrimary, parseSetName, type Role } from '../choose-servers.ts'
import { type KnownAddress, type ServerConnection } from './deployment.ts'

/** Time between an answer and the next question. */
const everyMs = 50
/** A server that takes longer counts as silent since it was asked, until it answers. */
const timeoutMs = 500

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
  await Promise.all(first.map((asked) => Promise.race([asked, clock.sleep(timeoutMs * 2)])))
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
  void clock.sleep(timeoutMs, answered.signal).then(() => {
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

/** Restricts a strip to the window: the primary at its beginning stands at 0. */
function inWindow(strip: PrimaryStrip, startMs: number): ElectionWatch['primaries'] {
  const entries = strip
    .entries()
    .map(({ atMs, member, term }) => ({ atSeconds: (atMs - startMs) / 1000, member, term }))
  const before = entries.findLast(({ atSeconds }) => atSeconds <= 0)
  const inside = entries.filter(({ atSeconds }) => atSeconds > 0)
  return before === undefined ? inside : [{ ...before, atSeconds: 0 }, ...inside]
}

/** Rises with every rollback. Null: it does not answer, or is no member of a set. */
export async function readRollbackId({ command }: Pick<KnownAddress, 'command'>): Promise<number | null> {
  try {
    const { rbid } = await command({ replSetGetRBID: 1 })
    return typeof rbid === 'number' ? rbid : null
  } catch {
    return null
  }
}

/** The state that a server reports in its answer to `hello`. */
export function readState(reply: Document): ReportedState {
  if (typeof reply['setName'] !== 'string')
    return { role: reply['isWritablePrimary'] === true ? 'standalone' : 'other', term: null }
  if (reply['isWritablePrimary'] === true) return { role: 'primary', term: termIn(reply['electionId']) }
  if (reply['secondary'] === true) return { role: 'secondary', term: null }
  return { role: reply['arbiterOnly'] === true ? 'arbiter' : 'other', term: null }
}

/** The id of an election is 0x7fffffff and the term, as 8 bytes. By its text: the driver's class of ids is not always ours. */
function termIn(electionId: unknown): number | null {
  const [, term] = /^7fffffff([0-9a-f]{16})$/.exec(String(electionId)) ?? []
  return term === undefined ? null : Number.parseInt(term, 16)
}

/** Who calls itself primary, and since when. */
type StripEntry = { readonly atMs: number; readonly member: string | null; readonly term: number | null }

/** The state that a server reported of itself. */
type ReportedState = { readonly role: Role; readonly term: number | null }

/** Puts the states that servers report in the order of time. */
type PrimaryStrip = {
  /**
   * @param atMs When it was so: when it answered, or when it was asked in vain.
   * @param state Undefined: it gave no answer.
   */
  readonly note: (server: string, atMs: number, state: ReportedState | undefined) => void
  readonly servers: () => readonly KnownServer[]
  /** The primary of these sets, if it is one set, and the latest term that any server of it has reported. Null: not known. */
  readonly now: (sets: ReadonlySet<string>) => Omit<StripEntry, 'atMs'>
  readonly entries: () => readonly StripEntry[]
}

/** Creates an empty timeline of primaries for these servers. */
export function createPrimaryStrip(names: readonly string[]): PrimaryStrip {
  const states = new Map<string, ReportedState | undefined>()
  const entries: StripEntry[] = []
  const latestTerms = new Map<string, number>()

  const servers = (): readonly KnownServer[] =>
    names.map((name) => ({ name, role: states.get(name)?.role, term: states.get(name)?.term ?? null }))

  const noteTerm = (set: string, term: number): void =>
    void latestTerms.set(set, Math.max(latestTerms.get(set) ?? 0, term))

  function readPrimary(): Omit<StripEntry, 'atMs'> {
    const [member = null] = findPrimary(servers())
    return { member, term: member === null ? null : (states.get(member)?.term ?? null) }
  }

  function notePrimary(atMs: number): void {
    const { member, term } = readPrimary()
    const last = entries.at(-1)
    if (last?.member === member && last.term === term) return
    // A question that was asked in vain is known to be so only later.
    entries.push({ atMs: Math.max(atMs, last?.atMs ?? atMs), member, term })
  }

  return {
    note(server, atMs, state) {
      states.set(server, state)
      if (state?.term != null) noteTerm(parseSetName(server), state.term)
      // Before every server has been asked once, it is not known that there is none.
      if (states.size === names.length) notePrimary(atMs)
    },
    servers,
    now(sets) {
      const [set, ...others] = sets
      if (set === undefined || others.length > 0) return { member: null, term: null }
      const [member = null] = findPrimary(servers().filter(({ name }) => parseSetName(name) === set))
      return { member, term: latestTerms.get(set) ?? null }
    },
    entries: () => entries,
  }
}
