import { expect, test } from 'vitest'
import { checkRoom, type Resources } from '../../../src/targets/server/preflight.ts'
import { resolveServerOptions } from '../../../src/targets/server/server-options.ts'

const sharedDisk =
  (freeMB: number): Resources['disk'] =>
  async () => ({ device: 'one', freeMB })
const ownDisks =
  (freeMB: number): Resources['disk'] =>
  async (folder) => ({ device: folder, freeMB })

const plenty: Resources = {
  disk: ownDisks(100_000),
  memoryMB: async () => 100_000,
  fileDescriptors: async () => 20_000,
}

const three = [1, 2, 3].map(() => resolveServerOptions())

test('a machine with room is let through', async () => {
  await expect(checkRoom(three, '/tmp', plenty)).resolves.toBeUndefined()
})

test('too little disk is told with both figures, before anything is started', async () => {
  const disk = sharedDisk(3071)
  await expect(checkRoom(three, '/tmp', { ...plenty, disk })).rejects.toMatchObject({
    code: 'no-server',
    message: '3 servers: 3072 MB of disk are needed for the data, and /tmp has 3071 MB free',
  })
})

test('members on disks of their own need room on each', async () => {
  const disk = ownDisks(1024)
  const apart = ['/a', '/b'].map((dbPath) => resolveServerOptions({ dbPath }))
  await expect(checkRoom(apart, '/tmp', { ...plenty, disk })).resolves.toBeUndefined()
})

test('an oplog beyond the default needs more disk', async () => {
  const disk = sharedDisk(2000)
  const servers = [resolveServerOptions({ oplogMB: 1990 })]
  await expect(checkRoom(servers, '/tmp', { ...plenty, disk })).rejects.toThrow('One server: 2024 MB')
})

test('too little memory for the caches is told with both figures', async () => {
  await expect(checkRoom(three, '/tmp', { ...plenty, memoryMB: async () => 1535 })).rejects.toMatchObject({
    code: 'no-server',
    message: '3 servers: 1536 MB of memory are needed for the caches, and 1535 MB are available',
  })
})

test('a low limit of open files is told, an unknown one is let through', async () => {
  await expect(checkRoom(three, '/tmp', { ...plenty, fileDescriptors: async () => 256 })).rejects.toThrow('allows 256')
  await expect(checkRoom(three, '/tmp', { ...plenty, fileDescriptors: async () => undefined })).resolves.toBeUndefined()
})
