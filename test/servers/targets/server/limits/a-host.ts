import { statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { type z } from 'zod'
import { deviceName } from '../../../../../src/servers/targets/server/limits/plan-groups.ts'
import {
  resolveLimits,
  type serverLimits,
  type ServerLimits,
} from '../../../../../src/servers/targets/server/limits/server-limits.ts'

/** The device under temporary folders of this machine, where the tests' data would be. */
export const device = deviceName(statSync(tmpdir()).dev)

const mounts = (lines: readonly string[]): string => `${lines.join('\n')}\n`

/** Files of a machine with version 1, in which we are in a group of our own for memory and at the top for all else. */
export const version1 = {
  'proc/self/mountinfo': mounts([
    '30 20 0:26 / /sys/fs/cgroup/cpu,cpuacct rw,nosuid shared:9 - cgroup cgroup rw,cpu,cpuacct',
    '31 20 0:27 / /sys/fs/cgroup/memory rw,nosuid - cgroup cgroup rw,memory',
    '32 20 0:28 / /sys/fs/cgroup/blk\\040io rw,nosuid - cgroup cgroup rw,blkio',
  ]),
  'proc/self/cgroup': '4:blkio:/\n3:memory:/user/me\n2:cpu,cpuacct:/\n1:name=systemd:/init\n',
  'sys/fs/cgroup/cpu,cpuacct/': '',
  'sys/fs/cgroup/memory/user/me/': '',
  'sys/fs/cgroup/blk io/': '',
} as const

/** Files of a machine with version 2, in which a user manager may give its controllers to groups below it. */
export const version2 = {
  'proc/self/mountinfo': '30 20 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw,nsdelegate\n',
  'proc/self/cgroup': '0::/user.slice/app.slice/shell.scope\n',
  'sys/fs/cgroup/cgroup.subtree_control': 'cpuset cpu io memory pids\n',
  'sys/fs/cgroup/cgroup.procs': '',
  'sys/fs/cgroup/user.slice/cgroup.subtree_control': 'memory pids\n',
  'sys/fs/cgroup/user.slice/app.slice/cgroup.subtree_control': 'cpu io memory pids\n',
  'sys/fs/cgroup/user.slice/app.slice/cgroup.procs': '',
  'sys/fs/cgroup/user.slice/app.slice/shell.scope/cgroup.subtree_control': '\n',
} as const

/** A whole disk under temporary folders. */
export const wholeDisk = { [`sys/dev/block/${device}/dev`]: `${device}\n` }

export function limitsOf(given: z.input<typeof serverLimits>): ServerLimits {
  const limits = resolveLimits(given)
  if (limits === null) throw new Error('Nothing is limited')
  return limits
}
