import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { type Environment } from './schema/environment.ts'

type Host = Environment['host']

export type MachineParts = Pick<Host, 'motherboard' | 'disks'>

/**
 * What everybody may read of the parts of this machine; serial numbers are not asked for. Nothing where it is no Linux.
 * @param root Where its file system begins: "/", and in tests a tree that stands for one.
 */
export function readMachineParts(root: string): MachineParts {
  return {
    motherboard: readMotherboard(path.join(root, 'sys/class/dmi/id')),
    disks: readDisks(path.join(root, 'sys/block')),
  }
}

/** Virtual machines have a product and often no board. */
function readMotherboard(folder: string): Host['motherboard'] {
  const told = ['board_vendor', 'board_name', 'product_name'].map((name) => readText(path.join(folder, name)))
  const texts = [...new Set(told)].filter((text) => text !== null)
  return texts.length === 0 ? null : texts.join(', ')
}

/** Files, memory, volumes made of other disks, optical and floppy drives. */
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
    // Disks of virtual machines have no model, and are called rotational whatever they are made of.
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

/** Null when there is none, or nobody may read it. */
function readText(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim() || null
  } catch {
    return null
  }
}
