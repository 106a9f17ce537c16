import { expect, test } from 'vitest'
import { coresFor } from '../../../../src/servers/targets/cores/cores-here.ts'
import { type CoresField } from '../../../../src/servers/targets/cores/divide-cores.ts'
import { aTree } from '../../../fakes/a-tree.ts'

async function coresOn(files: Readonly<Record<string, string>>, wanted: CoresField) {
  using tree = aTree(files)
  return await coresFor(wanted, 0, { host: { root: tree.root, cores: 2, memoryMB: 1024 } })
}

const other = { 'readme.txt': '' }

test('cores that are shared need nothing of the machine', async () => {
  expect(await coresOn(other, undefined)).toBeUndefined()
  expect(await coresOn(other, 'shared')).toBeUndefined()
})

test('where the system reports no cores, "apart" has a reason', async () =>
  expect(await coresOn(other, 'apart')).toEqual({ reason: expect.toSay('cores-not-reported') }))
