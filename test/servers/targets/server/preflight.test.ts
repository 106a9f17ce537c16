import { expect, test } from 'vitest'
import { checkRoom, parseMemory, type Resources } from '../../../../src/servers/targets/server/preflight.ts'
import { resolveServerOptions } from '../../../../src/servers/targets/server/server-options.ts'

const sharedDisk =
  (freeMB: number): Resources['disk'] =>
  async () => ({ device: 'one', freeMB })
const ownDisks =
  (freeMB: number): Resources['disk'] =>
  async (folder) => ({ device: folder, freeMB })

const plenty: Resources = {
  disk: ownDisks(100_000),
  memory: async () => ({ availableMB: 100_000, isAtLeast: false }),
  fileDescriptors: async () => 20_000,
}

const check = (...[servers, resources]: [Parameters<typeof checkRoom>[0], Resources]): Promise<void> =>
  checkRoom(servers, '/tmp', resources, () => {})

const three = [1, 2, 3].map(() => resolveServerOptions())

test('a machine with room is let through', async () => await expect(check(three, plenty)).resolves.toBeUndefined())

test('too little disk is told with both figures, before anything is started', async () => {
  const disk = sharedDisk(3071)
  await expect(check(three, { ...plenty, disk })).rejects.toSay('disk-too-small', { needed: 3072, free: 3071 })
})

test('members on disks of their own need room on each', async () => {
  const disk = ownDisks(1024)
  const apart = ['/a', '/b'].map((dbPath) => resolveServerOptions({ dbPath }))
  await expect(check(apart, { ...plenty, disk })).resolves.toBeUndefined()
})

test('an oplog beyond the default needs more disk', async () => {
  const disk = sharedDisk(2000)
  const servers = [resolveServerOptions({ oplogMB: 1990 })]
  await expect(check(servers, { ...plenty, disk })).rejects.toSay('disk-too-small-for-one', { needed: 2024 })
})

const memory = async () => ({ availableMB: 1535, isAtLeast: false })

test('too little memory for the caches is told with both figures', async () => {
  const checked = check(three, { ...plenty, memory })
  await expect(checked).rejects.toSay('memory-too-small', { needed: 1536, available: 1535 })
})

test('too little memory is a warning where the system does not report all of it', async () => {
  const said: string[] = []
  const resources: Resources = { ...plenty, memory: async () => ({ availableMB: 300, isAtLeast: true }) }
  await checkRoom(three, '/tmp', resources, (text) => said.push(text))
  expect(said).toEqual([expect.toSay('memory-perhaps-too-small', { needed: 1536, available: 300 })])
})

test.each([
  ['linux', 'MemFree: 100 kB\nMemAvailable:    2097152 kB\n', { availableMB: 2048, isAtLeast: false }],
  ['linux', '', { availableMB: 300, isAtLeast: true }],
  ['darwin', '', { availableMB: 300, isAtLeast: true }],
  ['win32', '', { availableMB: 300, isAtLeast: false }],
] as const)('what %s says of its memory, with %j', (platform, meminfo, expected) =>
  expect(parseMemory(platform, meminfo, 300 * 1024 ** 2)).toEqual(expected),
)

test('a low limit of open files is told, an unknown one is let through', async () => {
  await expect(check(three, { ...plenty, fileDescriptors: async () => 256 })).rejects.toSay('open-files-too-few', {
    limit: 256,
  })
  await expect(check(three, { ...plenty, fileDescriptors: async () => undefined })).resolves.toBeUndefined()
})
