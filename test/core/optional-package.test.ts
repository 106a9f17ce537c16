import { expect, test } from 'vitest'
import { importOptional } from '../../src/core/optional-package.ts'

const notFound = (name: string): Error =>
  Object.assign(new Error(`Cannot find package '${name}' imported from /app/mongo-perf/dist/redis.js`), {
    code: 'ERR_MODULE_NOT_FOUND',
  })

test.each([
  ['bullmq', 'agents-package-missing'],
  ['ioredis', 'agents-package-missing-other'],
])(
  'agents without %s name the one command that installs it',
  async (name, code) => await expect(importOptional(() => Promise.reject(notFound(name)))).rejects.toSay(code),
)

test('any other failure of a package stays what it is', async () => {
  const broken = notFound('a-package-of-bullmq')
  await expect(importOptional(() => Promise.reject(broken))).rejects.toBe(broken)
})

test('a package that is there is handed on', async () =>
  expect(await importOptional(() => Promise.resolve({ Queue: 1 }))).toEqual({ Queue: 1 }))
