import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import {
  changeGroups,
  liftLimits,
  makeGroups,
  removeGroups,
  startedIn,
} from '../../../../../src/servers/targets/server/limits/groups.ts'
import { shellLine } from '../../../../../src/servers/targets/server/shell-line.ts'
import { aTree } from '../../../../fakes/a-tree.ts'

const name = `mongo-perf-${process.pid}-27017`

test('a group is made with its settings, and the same by hand', () => {
  using tree = aTree({ 'cpu/': '', 'memory/': '' })
  const [cpu, memory] = ['cpu', 'memory'].map((parent) => path.join(tree.root, parent))
  const { folders, commands } = makeGroups(
    [
      { parent: cpu ?? '', settings: [{ file: 'cpu.max', value: '50000 100000' }] },
      { parent: memory ?? '', settings: [{ file: 'memory.swappiness', value: '0', ifThere: true }] },
    ],
    27017,
  )
  expect(folders).toEqual([path.join(tree.root, 'cpu', name), path.join(tree.root, 'memory', name)])
  expect(readFileSync(path.join(tree.root, 'cpu', name, 'cpu.max'), 'utf8')).toBe('50000 100000')
  expect(existsSync(path.join(tree.root, 'memory', name, 'memory.swappiness'))).toBe(false)
  expect(commands).toEqual([
    `mkdir -p ${cpu}/${name}`,
    `echo '50000 100000' > ${cpu}/${name}/cpu.max`,
    `mkdir -p ${memory}/${name}`,
  ])
})

test('groups that the kernel refuses leave none behind', () => {
  using tree = aTree({ 'cpu/': '' })
  const plan = { parent: path.join(tree.root, 'cpu'), settings: [{ file: 'no/such/file', value: '1' }] }
  const file = path.join(tree.root, 'cpu', `mongo-perf-${process.pid}-1`, 'no/such/file')
  expect(() => makeGroups([plan], 1)).toSay('limit-group-refused', { file })
  expect(existsSync(path.join(tree.root, 'cpu', `mongo-perf-${process.pid}-1`))).toBe(false)
})

test('a group gets other settings in the place of all that it has, and tells how it is made so', () => {
  using tree = aTree({
    [`${name}/blkio.throttle.read_iops_device`]: '8:0 500\n',
    [`${name}/blkio.throttle.write_bps_device`]: '8:0 1024\n',
    [`${name}/cpu.max`]: '50000 100000\n',
    [`${name}/memory.max`]: '1\n',
  })
  const folder = path.join(tree.root, name)
  const read = (file: string): string => readFileSync(path.join(folder, file), 'utf8')
  const settings = [{ file: 'blkio.throttle.read_iops_device', value: '8:0 900' }]
  expect(changeGroups([{ parent: tree.root, settings }], 27017)).toEqual({
    folders: [folder],
    commands: [`mkdir -p ${folder}`, `echo '8:0 900' > ${folder}/blkio.throttle.read_iops_device`],
  })
  expect(read('blkio.throttle.read_iops_device')).toBe('8:0 900')
  expect(read('blkio.throttle.write_bps_device')).toBe('8:0 0')
  expect(read('cpu.max')).toBe('max')
  expect(read('memory.max')).toBe('1\n')
  expect(changeGroups([{ parent: tree.root, settings: [] }], 27017).commands).toEqual([`mkdir -p ${folder}`])
  expect(read('blkio.throttle.read_iops_device')).toBe('8:0 0')
})

test('a change that the kernel refuses is told, and the group stays with its server', () => {
  using tree = aTree({ [`${name}/`]: '' })
  const plan = { parent: tree.root, settings: [{ file: 'no/such/file', value: '1' }] }
  expect(() => changeGroups([plan], 27017)).toSay('limit-group-refused', {
    file: path.join(tree.root, name, 'no/such/file'),
  })
  expect(existsSync(path.join(tree.root, name))).toBe(true)
})

test('a command goes into its groups before it becomes the program', () => {
  expect(shellLine(startedIn(['/cg/a', '/cg/b c'], ['mongod', '--port=1']))).toBe(
    `sh -c 'echo $$ > /cg/a/cgroup.procs && echo $$ > '\\''/cg/b c/cgroup.procs'\\'' && exec "$@"' sh mongod --port=1`,
  )
  expect(startedIn([], ['mongod'])).toEqual(['mongod'])
})

test('groups of ours are removed, those of others never', async () => {
  using tree = aTree({ [`${name}/`]: '', 'system.slice/': '' })
  const folders = [name, 'system.slice', 'mongo-perf-1-1'].map((folder) => path.join(tree.root, folder))
  expect(await removeGroups(folders)).toEqual([])
  expect(folders.map((folder) => existsSync(folder))).toEqual([false, true, false])
})

test('a group that cannot be removed is told', async () => {
  using tree = aTree({ [`${name}/child/`]: '' })
  const folder = path.join(tree.root, name)
  expect(await removeGroups([folder])).toEqual([folder])
})

test('limits are lifted by device, so that a server can end', () => {
  using tree = aTree({
    [`${name}/blkio.throttle.read_iops_device`]: '8:0 500\n',
    [`${name}/cpu.cfs_quota_us`]: '50000\n',
    [`${name}/memory.limit_in_bytes`]: '1\n',
    'system.slice/cpu.max': '1 2\n',
  })
  const read = (file: string): string => readFileSync(path.join(tree.root, file), 'utf8')
  liftLimits([name, 'system.slice', 'gone'].map((folder) => path.join(tree.root, folder)))
  expect(read(`${name}/blkio.throttle.read_iops_device`)).toBe('8:0 0')
  expect(read(`${name}/cpu.cfs_quota_us`)).toBe('-1')
  expect(read(`${name}/memory.limit_in_bytes`)).toBe('1\n')
  expect(read('system.slice/cpu.max')).toBe('1 2\n')
})
