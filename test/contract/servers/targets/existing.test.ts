import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, test } from 'vitest'
import { startTarget, targetSpec } from '../../../../src/servers/targets/index.ts'
import { findFreePort } from '../../../../src/servers/targets/server/process/server-process.ts'
import { pidOf } from '../../support/server-questions.ts'
import { startContext } from '../../support/start-context.ts'

const existing = targetSpec.parse({ kind: 'existing' })

test('a running server is measured as it is, and goes on running', async () => {
  await using context = await startContext()
  await using own = await startTarget(targetSpec.parse({ kind: 'standalone' }), context)
  const target = await startTarget(existing, { ...context, uri: () => own.uri })
  expect(target).toMatchObject({
    startedByUs: false,
    commands: [],
    members: [{ name: 'member0', host: own.members[0]?.host }],
  })
  await target[Symbol.asyncDispose]()
  expect(await pidOf(own.uri)).toBeGreaterThan(0)
})

test('the members of a set are found from one of them, hidden ones too, arbiters not', async () => {
  await using context = await startContext()
  const members = [{}, { hidden: true }, { arbiter: true }]
  await using own = await startTarget(targetSpec.parse({ kind: 'replicaSet', members }), context)
  await using target = await startTarget(existing, {
    ...context,
    uri: () => `mongodb://${own.members[0]?.host}/?directConnection=true`,
  })
  // Servers that are not ours are left as they are.
  expect(target.members).toEqual(own.members.map(({ setsLooks: _ours, ...member }) => member))
})

test('a server that does not answer is named by its variable, without a secret', async () => {
  await using context = await startContext()
  const uri = `mongodb://ann:hunter2@127.0.0.1:${await findFreePort()}/?serverSelectionTimeoutMS=1`
  const error = await startTarget(existing, { ...context, uri: () => uri }).catch((problem: unknown) => problem)
  expect(error).toMatchObject({ code: 'target-unreachable', message: expect.stringContaining('MONGO_PERF_URI') })
  expect(JSON.stringify(error) + String((error as Error).stack)).not.toContain('hunter2')
})

test('a server that never answers is given up on as soon as the URI says', async () => {
  const silent = createServer(() => undefined).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  await using context = await startContext()
  const uri = `mongodb://127.0.0.1:${port}/?serverSelectionTimeoutMS=321`
  await expect(startTarget(existing, { ...context, uri: () => uri })).rejects.toSay('target-silent', { ms: 321 })
  silent.close()
})

test('a URI that leads elsewhere is refused before anybody is contacted', async () => {
  let contacts = 0
  const listener = createServer((socket) => void (contacts++, socket.destroy())).listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const { port } = listener.address() as AddressInfo
  await using context = await startContext()
  const uri = `mongodb://127.0.0.1:${port},db.example.invalid:${port}/`
  const start = startTarget(existing, { ...context, uri: () => uri })
  await expect(start).rejects.toSay('target-remote')
  expect(contacts).toBe(0)
  listener.close()
})

test('a target without a URI says which variable to set', async () => {
  await using context = await startContext()
  const named = targetSpec.parse({ kind: 'existing', uriFrom: 'MONGO_PERF_URI_LEFT' })
  await expect(startTarget(named, context)).rejects.toSay('uri-of-name-not-set', {
    variable: 'MONGO_PERF_URI_LEFT',
    name: 'left',
  })
})
