import { z } from 'zod'

const coreNumbers = z
  .array(z.int().min(0).max(100_000))
  .min(1)
  .refine((numbers) => new Set(numbers).size === numbers.length, 'A core is named twice')

const namedCores = z
  .strictObject({
    client: coreNumbers.describe('Numbers of the cores of the client, as the kernel counts them, from 0.'),
    servers: coreNumbers.describe('Numbers of the cores of the servers.'),
  })
  .refine(
    ({ client, servers }) => !servers.some((core) => client.includes(core)),
    'A core is that of the client or that of the servers, not of both',
  )
  .meta({ title: 'CoreNumbers' })

/** The spec field for the cores that the client and the servers run on. Without a default, so that older specs keep their hash. */
export const cores = z
  .union([z.enum(['apart', 'shared']), namedCores])
  .optional()
  .describe(
    'Whether client and servers have cores of their own (Linux, by `taskset` of util-linux, without root). "shared": no pinning. "apart": the servers get cores of their own, the client the others. The client gets a core for each of its `threads` (the maximum over all rows), the servers the rest, which is at least one core and as many as `limits.cpus`; with two cores, each gets one. Where that is not possible, client and servers share all cores, and a warning gives the reason. Numbers: exactly these cores, or the run is not measured here. Routers and the proxies of links run on the cores of the servers. The client is pinned while phases run, not while data is loaded. Default: "shared".',
  )

/** The `cores` of a target in a spec. */
export type CoresField = z.output<typeof cores>

export type PinnedCores = { readonly client: readonly number[]; readonly servers: readonly number[] }

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
  if (wanted !== 'apart') return takeNamedCores(wanted, allowed, needed)
  const left = allowed.length - needed
  if (left < 1) return { reason: `servers need ${needed} and the client 1, and this process may use ${allowed.length}` }
  const ofClient = Math.min(threads, left)
  return { client: allowed.slice(0, ofClient), servers: allowed.slice(ofClient) }
}

function takeNamedCores({ client, servers }: PinnedCores, allowed: readonly number[], needed: number): CoreDivision {
  const missing = [...client, ...servers].filter((core) => !allowed.includes(core))
  if (missing.length > 0) return { reason: `this process may not use ${missing.join(', ')}` }
  if (servers.length < needed) return { reason: `a CPU limit needs ${needed}, and the servers have ${servers.length}` }
  return { client, servers }
}
