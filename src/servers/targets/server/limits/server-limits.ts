import { z } from 'zod'

/** The `limits` of a server, as in a spec. */
export const serverLimits = z
  .strictObject({
    cpus: z
      .number()
      .min(0.01)
      .max(10_000)
      .optional()
      .describe(
        'CPUs that it may use, 0.01 to 10000; fractions are allowed. CPU quota enforced every 10 ms; below 0.1 less often, because the kernel takes no quota below 1 ms. Default: all.',
      ),
    memoryMB: z
      .int()
      .min(64)
      .max(100_000_000)
      .optional()
      .describe('Memory in MB, page cache included, 64 to 100000000; at least 128 more than its cache. Default: all.'),
    readIops: z.int().min(1).max(10_000_000).optional().describe('Reads from the disk per second. Default: no limit.'),
    writeIops: z.int().min(1).max(10_000_000).optional().describe('Writes to the disk per second. Default: no limit.'),
    readMBps: z
      .number()
      .min(0.1)
      .max(1_000_000)
      .optional()
      .describe('MB read from the disk per second. Default: no limit.'),
    writeMBps: z
      .number()
      .min(0.1)
      .max(1_000_000)
      .optional()
      .describe('MB written to the disk per second. Default: no limit.'),
    // Without a default, so that older specs keep their hash.
    required: z
      .boolean()
      .optional()
      .describe(
        'Whether a machine that cannot enforce these limits refuses the spec. If false, and a machine cannot enforce one of the limits of a target (no control groups, too few cores, too little memory, no separate disk), its servers run without the limits that are not required; a warning and "Base Instance" show it. Default: true.',
      ),
  })
  .meta({ title: 'ServerLimits' })

/** Limits of one server. Null: as much as there is. */
export type ServerLimits = Readonly<Record<Exclude<keyof z.output<typeof serverLimits>, 'required'>, number | null>>

export const unlimited: ServerLimits = {
  cpus: null,
  memoryMB: null,
  readIops: null,
  writeIops: null,
  readMBps: null,
  writeMBps: null,
}

/** Null when nothing is limited. */
export function resolveLimits(given: z.output<typeof serverLimits> = {}): ServerLimits | null {
  const { cpus = null, memoryMB = null, readIops = null, writeIops = null, readMBps = null, writeMBps = null } = given
  const limits = { cpus, memoryMB, readIops, writeIops, readMBps, writeMBps }
  return Object.values(limits).every((limit) => limit === null) ? null : limits
}

/** Resource that a control group can limit. */
export type Resource = 'cpu' | 'memory' | 'io'

const ioLimits = ['readIops', 'writeIops', 'readMBps', 'writeMBps'] as const

export function listLimitedResources(limits: ServerLimits | null): readonly Resource[] {
  if (limits === null) return []
  return [
    ...(limits.cpus === null ? [] : (['cpu'] as const)),
    ...(limits.memoryMB === null ? [] : (['memory'] as const)),
    ...(ioLimits.every((name) => limits[name] === null) ? [] : (['io'] as const)),
  ]
}
