import { availableParallelism, totalmem } from 'node:os'
import { Problem } from '../../../../core/errors.ts'
import { type ResolvedServerOptions } from '../server-options.ts'
import { planGroups } from './plan-groups.ts'

/** The machine that servers of ours run on. Handed in, so that a test can give another one. */
export type Host = {
  /** Root of its file system: control groups and disks are looked up below. */
  readonly root: string
  /** Cores that a program may use. */
  readonly cores: number
  readonly memoryMB: number
}

/** Returns the number of cores and the memory in MB that this process, and so its servers, can use. */
export function thisHost(): Host {
  // What holds us holds the servers: a container may have less than its host.
  const held = process.constrainedMemory() || Infinity
  return { root: '/', cores: availableParallelism(), memoryMB: Math.min(totalmem(), held) / 1024 ** 2 }
}

/**
 * Under load a mongod with a cache of 256 MB was killed at limits of 256 and 288 MB, and lived at 320 MB and above; with a
 * cache of 1024 MB it lived at 1100 MB. Nothing is worth measuring right at the edge.
 */
const memoryBesideCacheMB = 128

/**
 * Refuses limits that this machine cannot keep, before anything is started.
 * @throws {Problem} "not-measurable-here" with the reason.
 */
export async function checkLimits(
  { limits, cacheGB, dbPath, journalPath }: ResolvedServerOptions,
  tempFolder: string,
  { root, cores, memoryMB }: Host,
): Promise<void> {
  if (limits === null) return
  if (limits.cpus !== null && limits.cpus > cores)
    throw beyond(`limits.cpus is ${limits.cpus}, but this machine has only ${cores}`, 'cpus')
  if (limits.memoryMB !== null && limits.memoryMB > memoryMB)
    throw beyond(
      `limits.memoryMB is ${limits.memoryMB}, but this machine has only ${Math.floor(memoryMB)} MB`,
      'memoryMB',
    )
  const minMB = cacheGB * 1024 + memoryBesideCacheMB
  if (limits.memoryMB !== null && limits.memoryMB < minMB) {
    throw new Problem(
      'not-measurable-here',
      `A server with a cache of ${cacheGB} GB would be killed in ${limits.memoryMB} MB of memory: it needs ${Math.ceil(minMB)} MB`,
      { hint: 'Raise "memoryMB", or lower "cacheGB" (at least 0.015).' },
    )
  }
  await planGroups(limits, listServerFolders({ dbPath, journalPath }, tempFolder), root)
}

export const listServerFolders = (
  { dbPath, journalPath }: Pick<ResolvedServerOptions, 'dbPath' | 'journalPath'>,
  tempFolder: string,
): readonly string[] => [dbPath ?? tempFolder, ...(journalPath === undefined ? [] : [journalPath])]

const beyond = (message: string, limit: string): Problem =>
  new Problem('not-measurable-here', message, {
    hint: `Lower "${limit}" in the limits of the server, run on a larger machine, or set "required" in the limits to false to measure without them.`,
  })
