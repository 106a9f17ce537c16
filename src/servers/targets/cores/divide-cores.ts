import { type CoresField } from './cores-field.ts'

/** Cores that client and servers are pinned to. */
export type PinnedCores = { readonly client: readonly number[]; readonly servers: readonly number[] }

/** The cores of client and servers, or the reason why they have none of their own. */
export type CoreDivision = PinnedCores | { readonly reason: string }

/** What a division has to provide. */
export type CoreNeeds = {
  /** Threads of the client that run at the same time. */
  readonly threads: number
  /** Maximum CPU limit of a server. 0: none has one. */
  readonly cpus: number
}

/**
 * Divides the cores that this process may use. "apart": the client gets the first ones, as many as it has threads; the servers
 * get the rest, and at least as many as their CPU limit needs, because with fewer they would never reach it.
 * @param allowed In ascending order.
 */
export function divideCores(
  wanted: Exclude<CoresField, 'shared' | undefined>,
  allowed: readonly number[],
  { threads, cpus }: CoreNeeds,
): CoreDivision {
  const needed = Math.max(1, Math.ceil(cpus))
  if (wanted !== 'apart') return namedCores(wanted, allowed, needed)
  const left = allowed.length - needed
  if (left < 1) return { reason: `servers need ${needed} and the client 1, and this process may use ${allowed.length}` }
  const ofClient = Math.min(threads, left)
  return { client: allowed.slice(0, ofClient), servers: allowed.slice(ofClient) }
}

function namedCores({ client, servers }: PinnedCores, allowed: readonly number[], needed: number): CoreDivision {
  const missing = [...client, ...servers].filter((core) => !allowed.includes(core))
  if (missing.length > 0) return { reason: `this process may not use ${missing.join(', ')}` }
  if (servers.length < needed) return { reason: `a CPU limit needs ${needed}, and the servers have ${servers.length}` }
  return { client, servers }
}
