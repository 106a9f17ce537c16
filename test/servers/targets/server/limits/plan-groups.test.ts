import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { findFileSystem, withoutOwnGroups } from '../../../../../src/servers/targets/server/limits/hierarchies.ts'
import { planGroups } from '../../../../../src/servers/targets/server/limits/plan-groups.ts'
import { aTree } from '../../../../fakes/a-tree.ts'
import { device, limitsOf, version1, version2, wholeDisk } from './a-host.ts'

const ofDisk = { readIops: 500, writeIops: 400, readMBps: 20, writeMBps: 0.5 }
const everything = limitsOf({ cpus: 0.5, memoryMB: 512, ...ofDisk })

const data = [tmpdir()]

test('with version 1 there is a group for each controller, below our own', async () => {
  using tree = aTree({ ...version1, ...wholeDisk })
  const groups = path.join(tree.root, 'sys/fs/cgroup')
  expect(await planGroups(everything, data, tree.root)).toEqual([
    {
      parent: path.join(groups, 'cpu,cpuacct'),
      settings: [
        { file: 'cpu.cfs_period_us', value: '10000' },
        { file: 'cpu.cfs_quota_us', value: '5000' },
      ],
    },
    {
      parent: path.join(groups, 'memory/user/me'),
      settings: [
        { file: 'memory.limit_in_bytes', value: '536870912' },
        { file: 'memory.swappiness', value: '0', ifThere: true },
      ],
    },
    {
      parent: path.join(groups, 'blk io'),
      settings: [
        { file: 'blkio.throttle.read_iops_device', value: `${device} 500` },
        { file: 'blkio.throttle.write_iops_device', value: `${device} 400` },
        { file: 'blkio.throttle.read_bps_device', value: `${device} 20971520` },
        { file: 'blkio.throttle.write_bps_device', value: `${device} 524288` },
      ],
    },
  ])
})

test('recorded commands make their groups at the top of the tree, whatever group we are in', async () => {
  using tree = aTree({ ...version1, ...wholeDisk })
  const groups = path.join(tree.root, 'sys/fs/cgroup')
  const lines = [`mkdir -p ${groups}/memory/user/me/mongo-perf-1-2`, `mkdir -p ${groups}/cpu,cpuacct/mongo-perf-1-2`]
  expect(await withoutOwnGroups(lines, tree.root)).toEqual([
    `mkdir -p ${groups}/memory/mongo-perf-1-2`,
    `mkdir -p ${groups}/cpu,cpuacct/mongo-perf-1-2`,
  ])
})

test('with version 2 there is one group, in the nearest one above us that has all controllers switched on', async () => {
  using tree = aTree({ ...version2, ...wholeDisk })
  expect(await planGroups(everything, data, tree.root)).toEqual([
    {
      parent: path.join(tree.root, 'sys/fs/cgroup/user.slice/app.slice'),
      settings: [
        { file: 'cpu.max', value: '5000 10000' },
        { file: 'memory.max', value: '536870912' },
        { file: 'memory.swap.max', value: '0', ifThere: true },
        { file: 'io.max', value: `${device} riops=500 wiops=400 rbps=20971520 wbps=524288` },
      ],
    },
  ])
})

const withoutCpu = { 'sys/fs/cgroup/user.slice/app.slice/cgroup.subtree_control': 'memory pids\n' }

test('a group above us without a controller is passed over', async () => {
  using tree = aTree({ ...version2, ...withoutCpu })
  const top = path.join(tree.root, 'sys/fs/cgroup')
  expect(await planGroups(limitsOf({ cpus: 1 }), data, tree.root)).toMatchObject([{ parent: top }])
  expect(await planGroups(limitsOf({ memoryMB: 512 }), data, tree.root)).toMatchObject([
    { parent: path.join(top, 'user.slice/app.slice') },
  ])
})

test('the groups of a server that is held to less now, or to nothing, are the ones that it was started in', async () => {
  using tree = aTree({ ...version2, ...withoutCpu, ...wholeDisk })
  const parent = path.join(tree.root, 'sys/fs/cgroup')
  expect(await planGroups(limitsOf({ memoryMB: 512 }), data, tree.root, ['cpu', 'memory'])).toMatchObject([
    { parent, settings: [{ file: 'memory.max' }, { file: 'memory.swap.max' }] },
  ])
  expect(await planGroups(null, data, tree.root, ['cpu', 'io'])).toEqual([{ parent, settings: [] }])
  using older = aTree({ ...version1, ...wholeDisk })
  const plans = await planGroups(limitsOf({ cpus: 1 }), data, older.root, ['cpu', 'io'])
  expect(plans.map(({ settings }) => settings.length)).toEqual([2, 0])
})

test('where both versions are mounted, a controller is taken from where it is', async () => {
  using tree = aTree({
    'proc/self/mountinfo':
      '30 20 0:26 / /cg/cpu rw - cgroup cgroup rw,cpu\n31 20 0:27 / /cg/unified rw - cgroup2 cgroup2 rw\n',
    'proc/self/cgroup': '1:cpu:/\n0::/\n',
    'cg/cpu/': '',
    'cg/unified/cgroup.subtree_control': 'memory\n',
    'cg/unified/cgroup.procs': '',
  })
  const plans = await planGroups(limitsOf({ cpus: 2, memoryMB: 512 }), data, tree.root)
  expect(plans.map(({ parent, settings }) => [path.basename(parent), settings[0]?.file])).toEqual([
    ['cpu', 'cpu.cfs_period_us'],
    ['unified', 'memory.max'],
  ])
})

test('a folder lies on the innermost file system around it, and of two on one point on the later', async () => {
  using tree = aTree({
    'proc/self/mountinfo': [
      '20 1 8:1 / / rw - ext4 /dev/sda1 rw',
      '30 20 8:2 / /no-such/data rw - xfs /dev/sdb1 rw',
      '31 20 0:9 / /no-such/data-of-others rw - tmpfs tmpfs rw',
      '32 30 8:3 / /no-such/data/fast rw - ext4 /dev/sdc1 rw',
      '33 32 8:4 / /no-such/data/fast rw - btrfs /dev/sdd1 rw\n',
    ].join('\n'),
  })
  const kinds = ['/no-such', '/no-such/data', '/no-such/data/1', '/no-such/data/fast/1', '/no-such/data-of-others']
  expect(await Promise.all(kinds.map((folder) => findFileSystem(folder, tree.root)))).toEqual([
    'ext4',
    'xfs',
    'xfs',
    'btrfs',
    'tmpfs',
  ])
  using other = aTree({})
  expect(await findFileSystem('/no-such', other.root)).toBeUndefined()
})

test('controllers of version 1 that share a tree share a group', async () => {
  using tree = aTree({
    'proc/self/mountinfo': '30 20 0:26 / /cg rw - cgroup cgroup rw,memory,cpu\n',
    'proc/self/cgroup': '1:memory,cpu:/\n',
    'cg/': '',
  })
  const plans = await planGroups(limitsOf({ cpus: 2, memoryMB: 512 }), data, tree.root)
  expect(plans.map(({ settings }) => settings.length)).toEqual([4])
})

test('in a container that sees only its part of the tree, the top of what it sees is its group', async () => {
  const mounts = { 'proc/self/mountinfo': '30 20 0:26 /docker/abc /cg rw - cgroup cgroup rw,cpu\n' }
  using tree = aTree({ ...mounts, 'proc/self/cgroup': '1:cpu:/docker/abc/inner\n', 'cg/inner/': '' })
  const [plan] = await planGroups(limitsOf({ cpus: 1 }), data, tree.root)
  expect(plan?.parent).toBe(path.join(tree.root, 'cg/inner'))
  using outside = aTree({ ...mounts, 'proc/self/cgroup': '1:cpu:/elsewhere\n', 'cg/': '' })
  const [fallback] = await planGroups(limitsOf({ cpus: 1 }), data, outside.root)
  expect(fallback?.parent).toBe(path.join(outside.root, 'cg'))
})

test('without limits nothing is looked for', async () => expect(await planGroups(null, data, '/nowhere')).toEqual([]))

const readOnly = version1['proc/self/mountinfo'].replaceAll(' rw,nosuid', ' ro,nosuid')
const tmpfs = `${version1['proc/self/mountinfo']}40 1 ${device} / ${tmpdir()} rw - tmpfs tmpfs rw\n`

const unswitched = { 'proc/self/cgroup': '0::/', 'sys/fs/cgroup/cgroup.subtree_control': 'memory\n' }

test.each([
  ['limit-groups-not-there', {}, () => ({})],
  [
    'limit-groups-read-only',
    { ...version1, ...wholeDisk, 'proc/self/mountinfo': readOnly },
    (root: string) => ({ root }),
  ],
  [
    'limit-groups-not-seen',
    { ...version1, ...wholeDisk, 'proc/self/cgroup': '2:cpu,cpuacct:/gone' },
    (root: string) => ({ root }),
  ],
  ['limit-groups-not-switched-on', { ...version2, ...wholeDisk, ...unswitched }, () => ({})],
  ['limit-groups-of-memory', { ...version1, 'proc/self/mountinfo': tmpfs }, () => ({ folder: tmpdir() })],
])('that limits cannot be set is told: %s', async (code, files: Readonly<Record<string, string>>, dataIn) => {
  using tree = aTree(files)
  await expect(planGroups(everything, data, tree.root)).rejects.toSay(code, dataIn(tree.root))
})
