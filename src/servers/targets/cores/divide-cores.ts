import { z } from 'zod'

/** The spec field for the cores that the client and the servers run on. Without a default, so that older specs keep their hash. */
export const cores = z
  .enum(['apart', 'shared'])
  .optional()
  .describe(
    'Whether client and servers use separate cores (Linux, by `taskset` of util-linux, without root). "shared": no pinning. "apart": servers and client use separate cores. The client gets a core for each of its `threads` (the maximum over all rows), the servers the rest, which is at least one core and as many as `limits.cpus`; with two cores, each gets one. If that is not possible, client and servers share all cores, and a warning gives the reason. Routers and the proxies of links run on the cores of the servers. The client is pinned while phases run, not while data is loaded. Default: "shared".',
  )

/** The `cores` of a target in a spec. */
export type CoresField = z.output<typeof cores>

type PinnedCores = { readonly client: readonly number[]; readonly servers: readonly number[] }

/** The cores of client and servers, or the reason why they have none of their own. */
export type CoreDivision = PinnedCores | { readonly reason: string }

/** Threads and servers that a division has to provide cores for. */
export type CoreNeeds = {
  /** Threads of the client that run at the same time. */
  readonly threads: number
  /** Maximum CPU limit of a server. 0: none has one. */
  readonly cpus: number
}

/**
 * Divides the cores that this process may use: the client gets the first ones, as many as it has threads; the servers
 * get the rest, and at least as many as their CPU limit needs, because with fewer they would never reach it.
 * @param allowed In ascending order.
 */
export function divideCores(allowed: readonly number[], { threads, cpus }: CoreNeeds): CoreDivision {
  const needed = Math.max(1, Math.ceil(cpus))
  const left = allowed.length - needed
  if (left < 1) return { reason: `servers need ${needed} and the client 1, and this process may use ${allowed.length}` }
  const ofClient = Math.min(threads, left)
  return { client: allowed.slice(0, ofClient), servers: allowed.slice(ofClient) }
}
