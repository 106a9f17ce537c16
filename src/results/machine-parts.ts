import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import type { Environment } from './schema/environment.ts'

type Host = Environment['host']

/** Parts of a machine that Linux reports without root. */
export type MachineParts = Pick<Host, 'motherboard' | 'disks'>

/**
 * Reads the parts of this machine that need no root, without serial numbers. Empty on systems other than Linux.
 * @param root Root of the file system: "/", or a folder in tests.
 */
export function readMachineParts(root: string): MachineParts {
  return {
    motherboard: readMotherboard(path.join(root, 'sys/class/dmi/id')),
    disks: readDisks(path.join(root, 'sys/block')),
  }
}

/** Virtual machines have a product and often no board. */
function readMotherboard(folder: string): Host['motherboard'] {
  const parts = ['board_vendor', 'board_name', 'product_name'].map((name) => readText(path.join(folder, name)))
  const known = [...new Set(parts)].filter((text) => text !== null)
  return known.length === 0 ? null : known.join(', ')
}

/** Block devices that are not disks: loop devices, memory, volumes made of disks, optical and floppy drives. */
const noDisk = /^(loop|ram|zram|dm-|md|sr|fd)\d/
const bytesPerSector = 512

function readDisks(folder: string): Host['disks'] {
  return namesIn(folder)
    .filter((name) => !noDisk.test(name))
    .map((name) => readDisk(path.join(folder, name)))
    .filter(({ sizeMB }) => sizeMB > 0)
}

function readDisk(folder: string): Host['disks'][number] {
  const sectors = Number(readText(path.join(folder, 'size')) ?? 0)
  const model = readText(path.join(folder, 'device/model'))
  const rotational = readText(path.join(folder, 'queue/rotational'))
  return {
    name: path.basename(folder),
    model,
    sizeMB: Math.round((sectors * bytesPerSector) / 1024 ** 2),
    // Virtual disks have no model, and Linux reports them as rotational whatever they are.
    rotational: model === null || rotational === null ? null : rotational === '1',
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).toSorted()
  } catch {
    return []
  }
}

/** Null if the file does not exist or is not readable. */
function readText(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim() || null
  } catch {
    return null
  }
}

/** The functions of `node:os` that describe this machine. The host name is not among them. */
export type HostFacts = {
  readonly type: () => string
  readonly release: () => string
  readonly platform: () => string
  readonly arch: () => string
  readonly totalmem: () => number
  readonly availableParallelism: () => number
  readonly cpus: () => readonly { readonly model: string }[]
}

/**
 * Describes the client machine, Node.js and the driver.
 * @param driver Its options hold settings of the measurement (pool, retries), never a URI or credentials.
 */
export function describeEnvironment({
  host,
  parts,
  node,
  driver,
}: {
  readonly host: HostFacts
  readonly parts: MachineParts
  /** "v20.20.2" */
  readonly node: string
  readonly driver: Environment['driver']
}): Environment {
  return {
    host: {
      os: `${host.type()} ${host.release()}`,
      // Virtual machines and some ARM hosts report no model.
      cpu: host.cpus()[0]?.model.trim() || 'unknown',
      cores: host.availableParallelism(),
      memoryMB: Math.round(host.totalmem() / 1024 ** 2),
      platform: `${host.platform()}-${host.arch()}`,
      ...parts,
    },
    node,
    driver,
  }
}
