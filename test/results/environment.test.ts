import * as os from 'node:os'
import { expect, test } from 'vitest'
import { type HostFacts, describeEnvironment, readMachineParts } from '../../src/results/machine-parts.ts'
import { environment } from '../../src/results/schema/environment.ts'

const host: HostFacts = {
  type: () => 'Linux',
  release: () => '6.1.0',
  platform: () => 'linux',
  arch: () => 'x64',
  totalmem: () => 8 * 1024 ** 3,
  availableParallelism: () => 4,
  cpus: () => [{ model: ' Some CPU @ 2 GHz ' }],
}
const parts = { motherboard: 'A board', disks: [{ name: 'sda', model: null, sizeMB: 1024, rotational: false }] }
const driver = { name: 'mongodb', version: '7.8.0', options: { maxPoolSize: 48 } }

test('the environment describes the client machine, Node.js and the driver', () => {
  expect(describeEnvironment({ host, parts, node: 'v20.20.2', driver })).toEqual({
    host: { os: 'Linux 6.1.0', cpu: 'Some CPU @ 2 GHz', cores: 4, memoryMB: 8192, platform: 'linux-x64', ...parts },
    node: 'v20.20.2',
    driver,
  })
})

test('a machine that names no CPU model is not a machine with an empty one', () => {
  const unnamed = { ...host, cpus: () => [] }
  expect(describeEnvironment({ host: unnamed, parts, node: 'v20.20.2', driver }).host.cpu).toBe('unknown')
})

test('this machine fits the schema, without its name', () => {
  const described = describeEnvironment({ host: os, parts: readMachineParts('/'), node: 'v20.20.2', driver })
  expect(environment.parse(described)).toEqual(described)
  expect(Object.values(described.host)).not.toContain(os.hostname())
})

test('a result without parts of the machine still loads', () => {
  const { motherboard: _, disks: __, ...before } = describeEnvironment({ host, parts, node: 'v20', driver }).host
  expect(environment.shape.host.parse(before)).toMatchObject({ motherboard: null, disks: [] })
})
