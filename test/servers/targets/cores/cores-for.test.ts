import { expect, test } from 'vitest'
import { coresFor } from '../../../../src/servers/targets/cores/cores-here.ts'
import { type CoresField } from '../../../../src/servers/targets/cores/divide-cores.ts'
import { aTree } from '../../../fakes/a-tree.ts'

async function coresOn(files: Readonly<Record<string, string>>, wanted: CoresField) {
  using tree = aTree(files)
  return await coresFor(wanted, 0, { host: { root: tree.root, cores: 2, memoryMB: 1024 } })
}

const linux = { 'proc/self/status': 'Name:\tnode\nCpus_allowed:\tf\nCpus_allowed_list:\t0-1\n' }
const other = { 'readme.txt': '' }

test('cores that are shared need nothing of the machine', async () => {
  expect(await coresOn(other, undefined)).toBeUndefined()
  expect(await coresOn(other, 'shared')).toBeUndefined()
})

test('where the system reports no cores, "apart" has a reason and named cores fail', async () => {
  expect(await coresOn(other, 'apart')).toEqual({ reason: expect.toSay('cores-not-reported') })
  await expect(coresOn(other, { client: [0], servers: [1] })).rejects.toSay('cores-not-measurable')
})

test('a core that there is not fails with those that there are', async () => {
  const found = coresOn(linux, { client: [0], servers: [7, 8] })
  await expect(found).rejects.toSay('cores-not-there', { missing: '7, 8', there: '0-1' })
})
