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
