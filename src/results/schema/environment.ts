import { z } from 'zod'
import { count, figure, flag, json, nullByDefault, orEmpty, orNull, part, record, text } from './fields.ts'

export const disk = part('A disk as the kernel reports it.', {
  name: text.describe('"sda", "nvme0n1"'),
  model: orNull(text),
  sizeMB: figure,
  rotational: orNull(flag).describe('Whether it is a spinning disk. Null for virtual disks, which misreport it.'),
})

export const environment = part('The client machine, Node.js and the driver.', {
  host: z
    .object({
      os: text,
      cpu: text,
      cores: count,
      memoryMB: figure,
      platform: text,
      motherboard: nullByDefault(text).describe('Vendor, board and product. Null: unknown, or readable only by root.'),
      disks: orEmpty(disk).describe('Physical disks, without volumes and RAM disks. Empty if unknown.'),
    })
    .describe('The machine of the client and of servers started by mongo-perf, not of other servers.'),
  node: text,
  driver: z.object({ name: text, version: text, options: record(text, json) }),
})

export type { Environment } from '../result-types.ts'
