import { readdir } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { memberUri } from '../../../../src/servers/targets/connection/members.ts'
import { startTarget, targetSpec } from '../../../../src/servers/targets/index.ts'
import { listServers } from '../../../../src/servers/targets/server/guardian/state.ts'
import { ask } from '../../support/server-questions.ts'
import { startContext } from '../../support/start-context.ts'

test('a set with an arbiter is ready with one primary, a secondary and the settings of the spec, and goes without a trace', async () => {
  await using context = await startContext()
  const target = await startTarget(
    targetSpec.parse({
      kind: 'replicaSet',
      members: [{ server: { cacheGB: 0.3 } }, { priority: 2 }, { arbiter: true }],
      settings: { heartbeatIntervalMs: 500 },
      server: { oplogMB: 100 },
    }),
    context,
  )
  const [first, second] = target.members
  expect(target.members.map(({ name }) => name)).toEqual(['member0', 'member1'])
  expect(await ask(memberUri(target.uri, second?.host ?? ''), { hello: 1 })).toMatchObject({ isWritablePrimary: true })
  expect(await ask(memberUri(target.uri, first?.host ?? ''), { hello: 1 })).toMatchObject({ secondary: true })
  expect(await ask(target.uri, { replSetGetConfig: 1 })).toMatchObject({
    config: {
      version: 1,
      settings: { electionTimeoutMillis: 10_000, heartbeatIntervalMillis: 500 },
      members: [{ arbiterOnly: false }, { priority: 2 }, { arbiterOnly: true }],
    },
  })
  expect(await ask(memberUri(target.uri, first?.host ?? ''), { getCmdLineOpts: 1 })).toMatchObject({
    parsed: { replication: { oplogSizeMB: 100 }, storage: { wiredTiger: { engineConfig: { cacheSizeGB: 0.3 } } } },
  })
  expect(target.commands.at(-1)).toContain('replSetInitiate')

  await target[Symbol.asyncDispose]()
  expect(listServers(context.stateFolder)).toEqual([])
  expect(await readdir(context.tempFolder)).toEqual(['state'])
})

test('when one member cannot start, none is left running', async () => {
  await using context = await startContext()
  const spec = { kind: 'replicaSet', members: [{}, { server: { setParameters: { noSuchParameter: 1 } } }] }
  await expect(startTarget(targetSpec.parse(spec), context)).rejects.toMatchObject({ code: 'no-server' })
  expect(listServers(context.stateFolder)).toEqual([])
  expect(await readdir(context.tempFolder)).toEqual(['state'])
})
