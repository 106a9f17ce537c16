import { z } from 'zod'

/** A disk as the kernel of its machine tells of it. */
export const disk = z.object({
  /** "sda", "nvme0n1" */
  name: z.string(),
  model: z.string().nullable(),
  sizeMB: z.number(),
  /** Whether it turns. Virtual disks are often said to. */
  rotational: z.boolean().nullable(),
})

export const environment = z.object({
  /** The machine of the client, which is that of the servers that we start, and of no others. */
  host: z.object({
    os: z.string(),
    cpu: z.string(),
    cores: z.int(),
    memoryMB: z.number(),
    platform: z.string(),
    /** Maker, board and product. Null: the machine does not tell, or not everybody. */
    motherboard: z.string().nullable().default(null),
    /** Without those that are only a part of others, or of memory. Empty where nobody tells. */
    disks: z.array(disk).default([]),
  }),
  node: z.string(),
  driver: z.object({ name: z.string(), version: z.string(), options: z.record(z.string(), z.json()) }),
})

export type Environment = z.output<typeof environment>
