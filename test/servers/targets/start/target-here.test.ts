import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { targetSpec, type TargetSpec } from '../../../../src/servers/targets/index.ts'
import { listServerLimits } from '../../../../src/servers/targets/start/shared-servers.ts'
import { targetHere, type TargetHere } from '../../../../src/servers/targets/start/target-here.ts'
import { aTree } from '../../../fakes/a-tree.ts'
import { type TextData } from '../../../texts/golden.ts'
import { version1 } from '../server/limits/a-host.ts'

async function here(spec: object, files: Readonly<Record<string, string>> = version1): Promise<TargetHere> {
  using tree = aTree(files)
  const host = { root: tree.root, cores: 2, memoryMB: 1024 }
  return await targetHere(targetSpec.parse(spec), { tempFolder: tmpdir(), host })
}

const cpusOf = (spec: TargetSpec): readonly (number | null)[] =>
  listServerLimits(spec).map((limits) => limits?.cpus ?? null)

const optional = { cpus: 0.5, required: false }
const required = { cpus: 1 }
const tooMany = { cpus: 3, required: false }

test('limits that can be kept stay, whether they are required or not', async () => {
  const { spec, limitsNotKept } = await here({ kind: 'standalone', server: { limits: optional } })
  expect(cpusOf(spec)).toEqual([0.5])
  expect(limitsNotKept).toBeUndefined()
})

test.each<[string, TextData, object, Readonly<Record<string, string>>]>([
  ['limits-lifted-cores', { cpus: 3, there: 2 }, tooMany, version1],
  ['limits-lifted-memory', { needed: 384 }, { memoryMB: 300, required: false }, version1],
  ['limits-lifted-disk', { folder: tmpdir() }, { cpus: 1, readIops: 5, required: false }, version1],
  ['limits-lifted-groups', {}, optional, { 'proc/': '' }],
])('what cannot be kept is no limit where it is not required: %s', async (code, data, limits, files) => {
  const { spec, limitsNotKept } = await here({ kind: 'standalone', server: { limits } }, files)
  expect(listServerLimits(spec)).toEqual([null])
  expect(limitsNotKept).toSay(code, data)
})

test('one limit that cannot be kept lifts all of the target that are not required, and no other', async () => {
  const members = [{}, { server: { limits: required } }, { server: { limits: tooMany } }]
  const set = await here({ kind: 'replicaSet', members, server: { limits: optional } })
  expect(cpusOf(set.spec)).toEqual([null, 1, null])
  const shards = [{ server: { limits: tooMany } }, { members: [{ server: { limits: required } }] }]
  const cluster = await here({ kind: 'sharded', shards, server: { limits: optional } })
  expect(cpusOf(cluster.spec)).toContain(1)
  expect(cpusOf(cluster.spec).filter((cpus) => cpus !== null)).toEqual([1])
})

test('a member whose limits are lifted does not get those of its target', async () => {
  const members = [{}, { server: { limits: tooMany } }]
  const { spec } = await here({ kind: 'replicaSet', members, server: { limits: required } })
  expect(cpusOf(spec)).toEqual([1, null])
})

test('limits that are required stay, to be refused', async () => {
  const { spec } = await here({ kind: 'standalone', server: { limits: { cpus: 3 } } })
  expect(cpusOf(spec)).toEqual([3])
})
