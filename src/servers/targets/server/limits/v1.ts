import { access, constants } from 'node:fs/promises'
import { type Hierarchy } from './hierarchies.ts'
import { type Resource, type ServerLimits } from './server-limits.ts'
import { bytesOfMB, cpuPeriodUs, cpuQuotaUs, diskRates, type GroupPlan, type Setting } from './settings.ts'

/** The controllers of version 1, each in a hierarchy of its own. */
export const controllerV1 = { cpu: 'cpu', memory: 'memory', io: 'blkio' } as const satisfies Record<Resource, string>

/** Below our own group: what holds us goes on holding the server. */
export function planV1(
  resource: Resource,
  { folder }: Hierarchy,
  limits: ServerLimits,
  disks: readonly string[],
): GroupPlan {
  return { parent: folder, settings: settingsOf[resource](limits, disks) }
}

const settingsOf: Readonly<Record<Resource, (limits: ServerLimits, disks: readonly string[]) => readonly Setting[]>> = {
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
export async function obstacleV1({ folder, readOnly }: Hierarchy): Promise<string | null> {
  if (readOnly) return `${folder} is mounted read-only`
  return await access(folder, constants.W_OK).then(
    () => null,
    ({ code }: NodeJS.ErrnoException) => `${folder} cannot be written (${code})`,
  )
}
