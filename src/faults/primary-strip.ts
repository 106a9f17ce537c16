import { type KnownServer, primaryOf, type Role } from './choose-servers.ts'

/** Who calls itself primary, and since when. */
export type StripEntry = { readonly atMs: number; readonly member: string | null; readonly term: number | null }

/** What a server said of itself. */
export type Said = { readonly role: Role; readonly term: number | null }

/** Puts what servers say of themselves in the order of time. */
export type PrimaryStrip = {
  /**
   * @param atMs When it was so: when it answered, or when it was asked in vain.
   * @param said Undefined: it gave no answer.
   */
  readonly note: (server: string, atMs: number, said: Said | undefined) => void
  readonly servers: () => readonly KnownServer[]
  /** The latest; null before anybody was heard. */
  readonly now: () => StripEntry | null
  /** The latest term that anybody has told of. */
  readonly term: () => number | null
  readonly entries: () => readonly StripEntry[]
}

export function createPrimaryStrip(names: readonly string[]): PrimaryStrip {
  const heard = new Map<string, Said | undefined>()
  const entries: StripEntry[] = []
  let latestTerm: number | null = null

  const servers = (): readonly KnownServer[] =>
    names.map((name) => ({ name, role: heard.get(name)?.role, term: heard.get(name)?.term ?? null }))

  return {
    note(server, atMs, said) {
      heard.set(server, said)
      if (said?.term !== null && said !== undefined) latestTerm = Math.max(latestTerm ?? 0, said.term)
      // Before everybody has been asked once, nobody knows that there is none.
      if (heard.size < names.length) return
      const [member = null] = primaryOf(servers())
      const term = member === null ? null : (heard.get(member)?.term ?? null)
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
