import { z } from 'zod'
import { resolveLimits, type ServerLimits, serverLimits } from './limits/server-limits.ts'

const parameterValue = z.union([z.string(), z.number(), z.boolean()])

/** The `server` object of a target and of one member. Whatever is left out keeps its default; the defaults are applied last. */
export const serverOptions = z
  .strictObject({
    version: z
      .string()
      .regex(/^\d+\.\d+(\.\d+)?$/, 'Expected a version such as "6.0" or "8.0.4"')
      .optional()
      .describe('Version that the mongod must have: a series ("6.0") or a release ("8.0.4"). Default: any.'),
    binary: z.string().min(1).optional().describe('Path of the mongod to start. Default: one is found or fetched.'),
    cacheGB: z
      .number()
      .min(0.015)
      .max(10_000)
      .optional()
      .describe('Size of the WiredTiger cache in GB, 0.015 to 10000. Default: 0.25. Always sent explicitly.'),
    dbPath: z
      .string()
      .min(1)
      .optional()
      .describe(
        'Folder for the data, absent or empty; each member gets a folder in it. Default: a temporary folder. Removed afterwards.',
      ),
    journalPath: z
      .string()
      .min(1)
      .optional()
      .describe(
        'Folder for the journal, absent or empty, such as one on a separate disk. Default: beside the data. Removed afterwards.',
      ),
    directoryPerDb: z.boolean().optional().describe('Whether each database gets a separate folder. Default: false.'),
    oplogMB: z
      .int()
      .min(1)
      .max(1_000_000)
      .optional()
      .describe(
        "Maximum size of a member's oplog in MB, 1 to 1000000. Default: 990, the smallest that mongod chooses by itself.",
      ),
    directIO: z
      .boolean()
      .optional()
      .describe(
        "Whether data files bypass the page cache (WiredTiger's direct_io), so that reads and evictions reach the disk; the journal does not. Linux, MongoDB up to 8.0: WiredTiger has dropped the option since. Default: false.",
      ),
    limits: serverLimits
      .optional()
      .describe(
        'What each mongod may use, held by Linux control groups (version 1; version 2 was tried on one kernel). The limits of a member replace all limits of the target; `{}` removes them. If this machine cannot enforce them, nothing is measured and the report shows why, unless `required` is false. Disk limits slow reads that miss the page cache, and the syncs of journal and checkpoints. They do not slow reads from the page cache or what the kernel writes back by itself, unless `directIO` is set. Rows that differ only in limits of CPU and disk (and in `facts`) share servers, whose limits are changed in place, unless they were started without a limit of that kind. `fresh` always starts new ones. While data is loaded and indexes are built, before the first phase, only memory is limited. Default: none.',
      ),
    setParameters: z
      .record(z.string().regex(/^[A-Za-z][\w.]*$/, 'Expected the name of a server parameter'), parameterValue)
      .optional()
      .describe(
        'Server parameters for the start, by name, such as `syncdelay` (seconds between checkpoints) and `journalCommitInterval` (milliseconds between syncs of the journal). Default: none.',
      ),
  })
  .meta({ title: 'ServerOptions' })

export type ServerOptions = z.output<typeof serverOptions>

/** Server options with all defaults filled in. */
export type ResolvedServerOptions = Omit<ServerOptions, 'limits'> & {
  /** Whether the server runs JavaScript that it is sent. */
  readonly scripting: boolean
  readonly cacheGB: number
  readonly oplogMB: number
  readonly directIO: boolean
  readonly limits: ServerLimits | null
  readonly setParameters: Readonly<Record<string, string | number | boolean>>
}

/** A part's own options on top of those of the whole, field by field. */
export function mergeServerOptions(whole: ServerOptions = {}, part: ServerOptions = {}): ServerOptions {
  const { version: _version, binary: _binary, ...withoutMongod } = whole
  // "version" and "binary" are two ways to choose the mongod: a part that sets one ignores the one of the whole.
  const ownMongod = part.version !== undefined || part.binary !== undefined
  return { ...(ownMongod ? withoutMongod : whole), ...part }
}

/**
 * A member's own options on top of its target's, with the defaults.
 * @param scripting No option of a target: a spec gets it with words that the command line allows too. Default false.
 */
export function resolveServerOptions(
  target?: ServerOptions,
  member?: ServerOptions,
  scripting: boolean = false,
): ResolvedServerOptions {
  const merged = mergeServerOptions(target, member)
  return {
    ...merged,
    scripting,
    cacheGB: merged.cacheGB ?? 0.25,
    oplogMB: merged.oplogMB ?? 990,
    directIO: merged.directIO ?? false,
    limits: resolveLimits(merged.limits),
    setParameters: merged.setParameters ?? {},
  }
}
