import { readFile, realpath, stat } from 'node:fs/promises'
import path from 'node:path'
import { nearestExisting } from '../nearest-existing.ts'
import { readMounts } from './hierarchies.ts'

/** The device number of a disk, or the reason why it cannot be determined. */
export type DiskAnswer =
  /** "8:0" */
  { readonly disk: string } | { readonly reason: string }

/**
 * The whole disk under a folder: limits are kept there, not at partitions.
 * @param root Where the file system of the machine begins; /proc and /sys are read below it.
 */
export async function diskUnder(folder: string, root: string): Promise<DiskAnswer> {
  const device = deviceName((await stat(await nearestExisting(path.resolve(folder)))).dev)
  const block = await realpath(path.join(root, 'sys/dev/block', device)).catch(() => undefined)
  if (block === undefined) {
    const mount = (await readMounts(root)).find((candidate) => candidate.device === device)
    const kind = mount === undefined ? '' : ` (${mount.fileSystem})`
    return { reason: `${folder} is on a file system without a disk of its own${kind}` }
  }
  const isPartition = await readFile(path.join(block, 'partition'), 'utf8').then(
    () => true,
    () => false,
  )
  if (!isPartition) return { disk: device }
  return { disk: (await readFile(path.join(block, '..', 'dev'), 'utf8')).trim() }
}

/** As the C library of Linux packs major and minor numbers. Calculated without 32-bit operators, which would cut it off. */
export function deviceName(dev: number): string {
  const bits = BigInt(dev)
  const major = ((bits >> 8n) & 0xfffn) | ((bits >> 32n) & ~0xfffn)
  const minor = (bits & 0xffn) | ((bits >> 12n) & 0xffffff00n)
  return `${major}:${minor}`
}
