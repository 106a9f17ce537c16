import { expect, test } from 'vitest'
import { importOptional } from '../../src/core/optional-package.ts'

const notFound = (name: string): Error =>
  Object.assign(new Error(`Cannot find package '${name}' imported from /app/mongo-perf/dist/redis.js`), {
    code: 'ERR_MODULE_NOT_FOUND',
  })

test.each([
  ['agents', 'bullmq', 'Agents need the package bullmq, which is not installed', 'Install it: npm i bullmq ioredis'],
  ['agents', 'ioredis', 'Agents need the package ioredis, which is not installed', 'Install it: npm i bullmq ioredis'],
  [
    'metrics',
    'prom-client',
    '--metrics needs the package prom-client, which is not installed',
    'Install it: npm i prom-client',
  ],
] as const)('%s without %s name the one command that installs it', async (use, name, message, hint) => {
  await expect(importOptional(use, () => Promise.reject(notFound(name)))).rejects.toMatchObject({
    code: 'usage',
    message,
    hint,
  })
})

test('any other failure of a package stays what it is', async () => {
  const broken = notFound('a-package-of-bullmq')
  await expect(importOptional('agents', () => Promise.reject(broken))).rejects.toBe(broken)
})

test('a package that is there is handed on', async () => {
  expect(await importOptional('agents', () => Promise.resolve({ Queue: 1 }))).toEqual({ Queue: 1 })
})
