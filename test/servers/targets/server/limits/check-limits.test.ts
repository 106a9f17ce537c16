import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { checkLimits } from '../../../../../src/servers/targets/server/limits/check-limits.ts'
import { resolveServerOptions, type ServerOptions } from '../../../../../src/servers/targets/server/server-options.ts'
import { aTree } from '../../../../fakes/a-tree.ts'
import { type TextData } from '../../../../texts/golden.ts'
import { version1 } from './a-host.ts'

async function check(options: ServerOptions): Promise<void> {
  using tree = aTree(version1)
  await checkLimits(resolveServerOptions(options), tmpdir(), { root: tree.root, cores: 2, memoryMB: 1024 })
}

test.each<[string, ServerOptions]>([
  ['no limits', { cacheGB: 100 }],
  ['all of the machine', { limits: { cpus: 2, memoryMB: 1024 } }],
  ['just enough memory for the cache', { cacheGB: 0.25, limits: { memoryMB: 384 } }],
])('%s can be kept', async (_what, options) => await expect(check(options)).resolves.toBeUndefined())

test.each<[string, ServerOptions, string, TextData]>([
  ['more cores than there are', { limits: { cpus: 10_000 } }, 'limit-above-cores', { cpus: 10_000, there: 2 }],
  ['more memory than there is', { limits: { memoryMB: 1025 } }, 'limit-above-memory', { memory: 1025, there: 1024 }],
  ['less than the cache takes', { cacheGB: 0.5, limits: { memoryMB: 639 } }, 'limit-below-cache', { needed: 640 }],
  ['a disk that cannot be held', { limits: { readIops: 5 } }, 'limit-without-disk', { folder: tmpdir() }],
])(
  '%s is not measurable here',
  async (_what, options, code, data) => await expect(check(options)).rejects.toSay(code, data),
)
