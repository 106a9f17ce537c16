import { readFile, stat, statfs } from 'node:fs/promises'
import path from 'node:path'
import { Problem } from '../../../core/errors.ts'
import { tempVariable } from '../../machine.ts'
import { readProcFile } from '../../system.ts'
import { type ResolvedServerOptions } from './server-options.ts'

/** Disk space of an empty member: WiredTiger's files, its journal (up to 300 MB) and the oplog up to its default size. */
const diskPerServerMB = 1024
const oplogInsideMB = 990
const memoryBesideCacheMB = 256
/** The least with which a mongod serves a hundred clients and opens a hundred collections. */
const minFileDescriptors = 1024

/** Memory that a server can have. */
export type Memory = {
  readonly availableMB: number
  /** Whether there may be more: the system does not report what it gives back on demand. */
  readonly isAtLeast: boolean
}

/** Resources that the machine has left. Handed in, so that a test can run out of them. */
export type Resources = {
  /** For the folder, or its nearest ancestor that exists. Equal `device`s share their space. */
  readonly disk: (folder: string) => Promise<{ readonly device: string; readonly freeMB: number }>
  readonly memory: () => Promise<Memory>
  /** Undefined where the platform does not report it. */
  readonly fileDescriptors: () => Promise<number | undefined>
}

/** Refuses to start what this machine cannot hold, before anything is started. Where it is not known, `log` gets a warning. */
export async function checkRoom(
  servers: readonly ResolvedServerOptions[],
  tempFolder: string,
  resources: Resources,
  log: (message: string) => void,
): Promise<void> {
  await checkDisk(servers, tempFolder, resources)
  const needMB = servers.reduce((sum, { cacheGB }) => sum + cacheGB * 1024 + memoryBesideCacheMB, 0)
  const { availableMB, isAtLeast } = await resources.memory()
  if (availableMB < needMB) {
    const needed = `${count(servers)}: ${inMB(needMB)} of memory are needed for the caches, and`
    if (!isAtLeast) {
      throw new Problem('no-server', `${needed} ${inMB(availableMB)} are available`, {
        hint: 'Lower "cacheGB" (at least 0.015) or the number of members, or close other programs.',
      })
    }
    log(`${needed} at least ${inMB(availableMB)} are available. This system does not say how much more it can free.`)
  }
  const descriptors = await resources.fileDescriptors()
  if (descriptors !== undefined && descriptors < minFileDescriptors) {
    throw new Problem(
      'no-server',
      `A mongod needs ${minFileDescriptors} open files, and this shell allows ${descriptors}`,
      { hint: `Raise the limit first: ulimit -n ${minFileDescriptors * 16}` },
    )
  }
}

async function checkDisk(
  servers: readonly ResolvedServerOptions[],
  tempFolder: string,
  { disk }: Resources,
): Promise<void> {
  const devices = new Map<string, { readonly folder: string; readonly freeMB: number; needMB: number }>()
  for (const { dbPath, oplogMB } of servers) {
    const folder = path.resolve(dbPath ?? tempFolder)
    const { device, freeMB } = await disk(folder)
    const entry = devices.get(device) ?? { folder, freeMB, needMB: 0 }
    entry.needMB += diskPerServerMB + Math.max(0, oplogMB - oplogInsideMB)
    devices.set(device, entry)
  }
  for (const { folder, freeMB, needMB } of devices.values()) {
    if (freeMB >= needMB) continue
    throw new Problem(
      'no-server',
      `${count(servers)}: ${inMB(needMB)} of disk are needed for the data, and ${folder} has ${inMB(freeMB)} free`,
      {
        hint: `Free some space, or name another disk with "dbPath" (or with ${tempVariable()} for temporary folders).`,
      },
    )
  }
}

const count = (servers: readonly unknown[]): string =>
  servers.length === 1 ? 'One server' : `${servers.length} servers`
const inMB = (value: number): string => `${Math.floor(value)} MB`

export const systemResources: Resources = {
  disk: async (folder) => {
    const place = await nearestExisting(folder)
    const [{ dev }, { bavail, bsize }] = await Promise.all([stat(place), statfs(place)])
    return { device: String(dev), freeMB: (bavail * bsize) / 1024 ** 2 }
  },
  memory: async () => {
    const meminfo = await readProcFile('meminfo')
    const host = parseMemory(process.platform, meminfo, process.availableMemory())
    const heldMB = await cgroupMemoryMB()
    return heldMB < host.availableMB ? { availableMB: heldMB, isAtLeast: false } : host
  },
  fileDescriptors: descriptorLimit,
}

/**
 * Memory as a system reports it. Pages that nothing uses leave out what the page cache gives back on demand, most of it on a
 * busy machine. Linux reports both together, and Windows counts both as free; macOS counts only the former.
 * @param meminfo `/proc/meminfo`. Empty: there is none.
 */
export function parseMemory(platform: NodeJS.Platform, meminfo: string, freeBytes: number): Memory {
  const availableKB = /^MemAvailable:\s+(\d+) kB/m.exec(meminfo)?.[1]
  return availableKB === undefined
    ? { availableMB: freeBytes / 1024 ** 2, isAtLeast: platform !== 'win32' }
    : { availableMB: Number(availableKB) / 1024, isAtLeast: false }
}

/** Reads the memory that a container's own limit leaves; without one, no bound. */
async function cgroupMemoryMB(): Promise<number> {
  try {
    const [limit, used] = await Promise.all([readCgroup('memory.max'), readCgroup('memory.current')])
    return Number.isNaN(limit) ? Infinity : (limit - used) / 1024 ** 2
  } catch {
    return Infinity
  }
}

const readCgroup = async (file: string): Promise<number> => Number(await readFile(`/sys/fs/cgroup/${file}`, 'utf8'))

/** The limit of open files of this process. Undefined where the platform does not report it. */
export async function descriptorLimit(): Promise<number | undefined> {
  const limits = await readProcFile('self/limits')
  const soft = /^Max open files\s+(\d+)/m.exec(limits)?.[1]
  return soft === undefined ? undefined : Number(soft)
}

/** The folder itself, or the nearest above it that is there. */
export async function nearestExisting(folder: string): Promise<string> {
  const exists = await stat(folder).then(
    () => true,
    () => false,
  )
  return exists || path.dirname(folder) === folder ? folder : nearestExisting(path.dirname(folder))
}
