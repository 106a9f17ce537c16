import { z } from 'zod'
import { figure } from './figure.ts'

/** A disk as the kernel reports it. */
export const disk = z.object({
  /** "sda", "nvme0n1" */
  name: z.string(),
  model: z.string().nullable(),
  sizeMB: figure,
  /** Whether it is a spinning disk. Null for virtual disks, which often report it wrongly. */
  rotational: z.boolean().nullable(),
})

/** The client machine, Node.js and the driver. */
export const environment = z.object({
  /** The machine of the client and of servers started by mongo-perf, not of other servers. */
  host: z.object({
    os: z.string(),
    cpu: z.string(),
    cores: z.int(),
    memoryMB: figure,
    platform: z.string(),
    /** Vendor, board and product. Null: unknown, or readable only by root. */
    motherboard: z.string().nullable().default(null),
    /** Physical disks, without volumes and RAM disks. Empty if unknown. */
    disks: z.array(disk).default([]),
  }),
  node: z.string(),
  driver: z.object({ name: z.string(), version: z.string(), options: z.record(z.string(), z.json()) }),
})

export type Environment = z.output<typeof environment>
