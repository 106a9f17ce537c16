import { access, constants, readFile, realpath, stat } from 'node:fs/promises'
import path from 'node:path'
import { Problem } from '../../../../core/errors.ts'
import { nearestExisting } from '../preflight.ts'
import { type Hierarchies, type Hierarchy, readHierarchies, readMounts } from './hierarchies.ts'
import { type Resource, type ServerLimits, listLimitedResources, unlimited } from './server-limits.ts'
import { type GroupPlan, type Setting, bytesOfMB, cpuPeriodUs, cpuQuotaUs, diskRates } from './settings.ts'

/**
 * The groups that hold a server to its limits: one for each controller of version 1, one for all others.
 * @param folders Where the server keeps its files: the disks under them are what is limited.
 * @param root Where the file system of the machine begins.
 * @param resources What there are groups for, by default what is limited. For groups that are there already, all that the
 * server was started with: with fewer, others may be found for it.
 * @throws {Problem} "not-measurable-here" with the reason.
 */
export async function planGroups(
  limits: ServerLimits | null,
  folders: readonly string[],
  root: string,
  resources: readonly Resource[] = listLimitedResources(limits),
): Promise<readonly GroupPlan[]> {
  if (resources.length === 0) return []
  const hierarchies = await readHierarchies(root)
  if (hierarchies.v1.size === 0 && hierarchies.v2 === undefined)
    throw notHere('this system has no control groups, which Linux has')
  const disks = resources.includes('io') ? await disksUnder(folders, root) : []
  return oneForEachParent(await planAll(resources, limits ?? unlimited, disks, hierarchies))
}

function notHere(reason: string): Problem {
  return new Problem('not-measurable-here', `The limits of a server cannot be set here: ${reason}`, {
    hint: 'Run as root on Linux with the data on a disk ("dbPath"), or set "required" in "limits" to false to measure without them. `mongo-perf doctor` shows what can be limited.',
  })
}

async function disksUnder(folders: readonly string[], root: string): Promise<readonly string[]> {
  const disks = new Set<string>()
  for (const folder of folders) {
    const answer = await diskUnder(folder, root)
    if ('reason' in answer) throw notHere(answer.reason)
    disks.add(answer.disk)
  }
  return [...disks]
}

async function planAll(
  resources: readonly Resource[],
  limits: ServerLimits,
  disks: readonly string[],
  { v1, v2 }: Hierarchies,
): Promise<readonly GroupPlan[]> {
  const plans: GroupPlan[] = []
  const others: Resource[] = []
  for (const resource of resources) {
    const hierarchy = v1.get(controllerV1[resource])
    if (hierarchy === undefined) {
      others.push(resource)
      continue
    }
    const obstacle = await obstacleV1(hierarchy)
    if (obstacle !== null) throw notHere(obstacle)
    plans.push(planV1(resource, hierarchy, limits, disks))
  }
  if (others.length === 0) return plans
  const parent = v2 && (await findParentV2(v2, others))
  if (parent === undefined) {
    const names = others.join(', ')
    throw notHere(`no control group that may be written has the controllers ${names} switched on for its children`)
  }
  return [...plans, planV2(others, parent, limits, disks)]
}

/** Controllers of version 1 may share a tree. */
function oneForEachParent(plans: readonly GroupPlan[]): readonly GroupPlan[] {
  const parents = [...new Set(plans.map(({ parent }) => parent))]
  return parents.map((parent) => ({
    parent,
    settings: plans.filter((plan) => plan.parent === parent).flatMap(({ settings }) => settings),
  }))
}

/** The device number of a disk, or the reason why it cannot be determined. */
type DiskAnswer =
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
    return { reason: `${folder} is on a file system without its own disk${kind}` }
  }
  const isPartition = await readFile(path.join(block, 'partition'), 'utf8').then(
    () => true,
    () => false,
  )
  if (!isPartition) return { disk: device }
  return { disk: (await readFile(path.join(block, '..', 'dev'), 'utf8')).trim() }
}

/** Names a device as the C library of Linux packs major and minor numbers. Calculated without 32-bit operators, which would cut it off. */
export function deviceName(dev: number): string {
  const bits = BigInt(dev)
  const major = ((bits >> 8n) & 0xfffn) | ((bits >> 32n) & ~0xfffn)
  const minor = (bits & 0xffn) | ((bits >> 12n) & 0xffffff00n)
  return `${major}:${minor}`
}

/** The controllers of version 1, each in a hierarchy of its own. */
const controllerV1 = { cpu: 'cpu', memory: 'memory', io: 'blkio' } as const satisfies Record<Resource, string>

/** Below our own group: what holds us goes on holding the server. */
function planV1(resource: Resource, { folder }: Hierarchy, limits: ServerLimits, disks: readonly string[]): GroupPlan {
  return { parent: folder, settings: settingsByResource[resource](limits, disks) }
}

const settingsByResource: Readonly<
  Record<Resource, (limits: ServerLimits, disks: readonly string[]) => readonly Setting[]>
> = {
  cpu: ({ cpus }) =>
    cpus === null
      ? []
      : [
          { file: 'cpu.cfs_period_us', value: String(cpuPeriodUs(cpus)) },
          { file: 'cpu.cfs_quota_us', value: String(cpuQuotaUs(cpus)) },
        ],
  memory: ({ memoryMB }) =>
    memoryMB === null
      ? []
      : [
          { file: 'memory.limit_in_bytes', value: String(bytesOfMB(memoryMB)) },
          { file: 'memory.swappiness', value: '0', ifThere: true },
        ],
  io: (limits, disks) =>
    disks.flatMap((disk) =>
      diskRates(limits).map(({ v1, perSecond }) => ({
        file: `blkio.throttle.${v1}_device`,
        value: `${disk} ${perSecond}`,
      })),
    ),
}

/** Why no group can be made there. Null when one can. */
async function obstacleV1({ folder, readOnly }: Hierarchy): Promise<string | null> {
  if (readOnly) return `${folder} is mounted read-only`
  return await access(folder, constants.W_OK).then(
    () => null,
    ({ code }: NodeJS.ErrnoException) => `${folder} cannot be written (${code})`,
  )
}

/** One group for everything, in a parent from `findParentV2`. */
function planV2(
  resources: readonly Resource[],
  parent: string,
  limits: ServerLimits,
  disks: readonly string[],
): GroupPlan {
  return { parent, settings: resources.flatMap((resource) => settingsOfV2[resource](limits, disks)) }
}

const settingsOfV2: Readonly<Record<Resource, (limits: ServerLimits, disks: readonly string[]) => readonly Setting[]>> =
  {
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
async function findParentV2(
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
