import { type KnownServer, primaryOf, type Role } from './choose-servers.ts'

/** Who calls itself primary, and since when. */
export type StripEntry = { readonly atMs: number; readonly member: string | null; readonly term: number | null }

/** The state that a server reported of itself. */
export type ReportedState = { readonly role: Role; readonly term: number | null }

/** Puts the states that servers report in the order of time. */
export type PrimaryStrip = {
  /**
   * @param atMs When it was so: when it answered, or when it was asked in vain.
   * @param state Undefined: it gave no answer.
   */
  readonly note: (server: string, atMs: number, state: ReportedState | undefined) => void
  readonly servers: () => readonly KnownServer[]
  /** The latest; null before any server has answered. */
  readonly now: () => StripEntry | null
  /** The latest term that any server has reported. */
  readonly term: () => number | null
  readonly entries: () => readonly StripEntry[]
}

/** Creates an empty timeline of primaries for these servers. */
export function createPrimaryStrip(names: readonly string[]): PrimaryStrip {
  const states = new Map<string, ReportedState | undefined>()
  const entries: StripEntry[] = []
  let latestTerm: number | null = null

  const servers = (): readonly KnownServer[] =>
    names.map((name) => ({ name, role: states.get(name)?.role, term: states.get(name)?.term ?? null }))

  return {
    note(server, atMs, state) {
      states.set(server, state)
      if (state?.term !== null && state !== undefined) latestTerm = Math.max(latestTerm ?? 0, state.term)
      // Before every server has been asked once, it is not known that there is none.
      if (states.size < names.length) return
      const [member = null] = primaryOf(servers())
      const term = member === null ? null : (states.get(member)?.term ?? null)
      const last = entries.at(-1)
      if (last?.member === member && last.term === term) return
      // A question that was asked in vain is known to be so only later.
      entries.push({ atMs: Math.max(atMs, last?.atMs ?? atMs), member, term })
    },
    servers,
    now: () => entries.at(-1) ?? null,
    term: () => latestTerm,
    entries: () => entries,
  }
}
