import { expect, test } from 'vitest'
import { readMachineParts } from '../../src/results/machine-parts.ts'
import { aTree } from '../fakes/a-tree.ts'

const board = 'sys/class/dmi/id'

test('board and disks are reported as the kernel reports them', () => {
  using tree = aTree({
    [`${board}/board_vendor`]: 'A maker\n',
    [`${board}/board_name`]: 'Board 1\n',
    [`${board}/product_name`]: 'Server 2\n',
    [`${board}/board_serial`]: 'secret\n',
    'sys/block/sdb/size': '7814037168\n',
    'sys/block/sdb/queue/rotational': '1\n',
    'sys/block/sdb/device/model': 'A disk        \n',
    'sys/block/nvme0n1/size': '1000215216\n',
    'sys/block/nvme0n1/queue/rotational': '0\n',
    'sys/block/nvme0n1/device/model': 'Another disk\n',
    'sys/block/nvme0n1/device/serial': 'secret\n',
    'sys/block/vda/size': '2048\n',
    // A virtual disk is called rotational, whatever it is made of.
    'sys/block/vda/queue/rotational': '1\n',
  })
  expect(readMachineParts(tree.root)).toEqual({
    motherboard: 'A maker, Board 1, Server 2',
    disks: [
      { name: 'nvme0n1', model: 'Another disk', sizeMB: 488_386, rotational: false },
      { name: 'sdb', model: 'A disk', sizeMB: 3_815_448, rotational: true },
      { name: 'vda', model: null, sizeMB: 1, rotational: null },
    ],
  })
})

test('devices that are not disks of their own, or are empty, are left out', () => {
  const names = ['loop0', 'ram0', 'zram0', 'dm-0', 'md127', 'sr0', 'fd0', 'sdx']
  const files = Object.fromEntries(names.map((name) => [`sys/block/${name}/size`, name === 'sdx' ? '0' : '409600']))
  using tree = aTree(files)
  expect(readMachineParts(tree.root).disks).toEqual([])
})

test('a virtual machine has a product and often no board, and equal names appear once', () => {
  using tree = aTree({
    [`${board}/product_name`]: 'A cloud\n',
    [`${board}/board_name`]: 'A cloud\n',
    [`${board}/board_vendor`]: ' \n',
  })
  expect(readMachineParts(tree.root).motherboard).toBe('A cloud')
})

test('a machine that reports nothing has no parts', () => {
  using tree = aTree({})
  expect(readMachineParts(tree.root)).toEqual({ motherboard: null, disks: [] })
})
