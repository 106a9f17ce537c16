import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { deviceName, diskUnder } from '../../../../../src/servers/targets/server/limits/plan-groups.ts'
import { aTree } from '../../../../fakes/a-tree.ts'
import { device, wholeDisk } from './a-host.ts'

test('a whole disk is itself, also under folders that are still to be made', async () => {
  using tree = aTree(wholeDisk)
  expect(await diskUnder(path.join(tmpdir(), 'not', 'there', 'yet'), tree.root)).toEqual({ disk: device })
})

test('a partition stands for the disk that it is a part of', async () => {
  using tree = aTree({
    'sys/devices/block/sda/dev': '8:0\n',
    'sys/devices/block/sda/sda1/dev': '8:1\n',
    'sys/devices/block/sda/sda1/partition': '1\n',
    [`sys/dev/block/${device}`]: '-> ../../devices/block/sda/sda1',
  })
  expect(await diskUnder(tmpdir(), tree.root)).toEqual({ disk: '8:0' })
})

test('a file system without a disk is named', async () => {
  using tree = aTree({ 'proc/self/mountinfo': `40 1 ${device} / / rw - overlay overlay rw\n` })
  const reason = expect.toSay('disk-not-its-own', { folder: tmpdir(), kind: 'overlay' })
  expect(await diskUnder(tmpdir(), tree.root)).toEqual({ reason })
})

test.each([
  [65024, '254:0'],
  [2049, '8:1'],
  [66311, '259:7'],
  // Minor numbers above 255 lie above the major number.
  [1048576, '0:256'],
])('the device %i is %s', (dev, name) => expect(deviceName(dev)).toBe(name))
