import { access, constants, readFile } from 'node:fs/promises'
import path from 'node:path'
import { type Hierarchy } from './hierarchies.ts'
import { type Resource, type ServerLimits } from './server-limits.ts'
import { bytesOfMB, cpuPeriodUs, cpuQuotaUs, diskRates, type GroupPlan, type Setting } from './settings.ts'

/** One group for everything, in a parent from `findParentV2`. */
export function planV2(
  resources: readonly Resource[],
  parent: string,
  limits: ServerLimits,
  disks: readonly string[],
): GroupPlan {
  return { parent, settings: resources.flatMap((resource) => settingsByResource[resource](limits, disks)) }
}

const settingsByResource: Readonly<
  Record<Resource, (limits: ServerLimits, disks: readonly string[]) => readonly Setting[]>
> = {
  cpu: ({ cpus }) => (cpus === null ? [] : [{ file: 'cpu.max', value: `${cpuQuotaUs(cpus)} ${cpuPeriodUs(cpus)}` }]),
  memory: ({ memoryMB }) =>
    memoryMB === null
      ? []
      : [
          { file: 'memory.max', value: String(bytesOfMB(memoryMB)) },
          { file: 'memory.swap.max', value: '0', ifThere: true },
        ],
  io: (limits, disks) => {
    const rates = diskRates(limits).map(({ v2, perSecond }) => `${v2}=${perSecond}`)
    return rates.length === 0 ? [] : disks.map((disk) => ({ file: 'io.max', value: `${disk} ${rates.join(' ')}` }))
  },
}

/**
 * The nearest group, our own or one above it, that has all controllers switched on for its children. Our own seldom has:
 * a group with processes in it cannot, but for the root. Undefined when there is none that we may write to.
 */
export async function findParentV2(
  { folder, mountPoint, readOnly }: Hierarchy,
  resources: readonly Resource[],
): Promise<string | undefined> {
  if (readOnly) return undefined
  for (let candidate = folder; ; candidate = path.dirname(candidate)) {
    const on = await readFile(path.join(candidate, 'cgroup.subtree_control'), 'utf8').catch(() => '')
    const names = on.trim().split(' ')
    if (resources.every((resource) => names.includes(resource)) && (await isWritable(candidate))) return candidate
    if (candidate === mountPoint || path.dirname(candidate) === candidate) return undefined
  }
}

/** To move a process from another group of the same tree takes the right to write the list of their nearest common parent. */
const isWritable = (folder: string): Promise<boolean> =>
  Promise.all([folder, path.join(folder, 'cgroup.procs')].map((file) => access(file, constants.W_OK))).then(
    () => true,
    () => false,
  )
