import { deserialize } from 'bson'
import { Long, MongoClient } from 'mongodb'
import { expect, test } from 'vitest'
import { run, type SpecInput } from '../../../src/entries/index.ts'
import { bodyOffset } from '../../../src/protocol/wire/frame.ts'
import { checkSearchServer } from '../../../src/run/preflight/check-server.ts'
import { loadSpecFile } from '../../../src/spec/load-spec.ts'
import { fail } from '../../fakes/fail.ts'
import { aReply } from '../../protocol/wire/a-message.ts'
import { startTamperingProxy, type Tamper } from '../load/engines/tampering-proxy.ts'
import { sharedServer } from '../support/shared-servers.ts'

const server = sharedServer()

const nearest = (match: object) => [
  { $match: match },
  { $set: { distance: { $abs: { $subtract: ['$x', { '@var': 'q' }] } } } },
  { $sort: { distance: 1, _id: 1 } },
  { $limit: 10 },
]

const search = (name: string, match: object) => ({
  kind: 'aggregate',
  name,
  let: { q: { '@int': { min: 20, max: 179 } } },
  pipeline: nearest(match),
  exact: nearest({}),
})

test.each(['driver', 'wire'] as const)(
  'recall is the share of the exact neighbours that a call returns: %s',
  async (engine) => {
    const spec = {
      name: `recall-${engine}`,
      engine,
      data: { collection: 'points', rows: 200, document: { _id: { '@row': {} }, x: { '@row': {} } } },
      phases: [
        {
          name: 'search',
          stopAfter: { operations: 20 },
          operations: [search('half', { _id: { $mod: [2, 0] } }), search('all', {}), search('none', { _id: -1 })],
        },
      ],
    } as unknown as SpecInput
    const { variants } = await run(spec, { uri: server.uri })
    const { operations } = variants[0]?.phases[0] ?? fail('no phase')
    expect(operations.map(({ name, failed, explain }) => [name, failed, explain?.recall])).toEqual([
      ['half', 0, 0.5],
      ['all', 0, 1],
      ['none', 0, 0],
    ])
  },
)

test.each(['driver', 'wire'] as const)(
  'the text searches that ship find more of frequent words than of rare ones: %s',
  async (engine) => {
    const { variants } = await run('fixtures/specs/search/text.json', {
      profile: 'smoke',
      uri: server.uri,
      repeat: 1,
      engine,
    })
    const matches = variants.map(({ phases }) =>
      phases.map(({ operations }) => operations[0]?.explain?.docsReturned ?? -1),
    )
    const [[, rare = -1] = [], , [best = -1, frequent = -1, both = -1] = []] = matches
    expect(frequent).toBeGreaterThan(rare)
    expect([best, both <= frequent, both > 0]).toEqual([10, true, true])
    expect(
      variants.flatMap(({ phases }) => phases.flatMap(({ operations }) => operations.map(({ failed }) => failed))),
    ).toEqual(Array.from({ length: 9 }, () => 0))
  },
)

test('a vector search is refused before anything is loaded where the server has no search server', async () => {
  const running = run('fixtures/specs/search/vectors.json', { profile: 'smoke', uri: server.uri })
  await expect(running).rejects.toSay('search-server-missing')
})

const cursorOf = (documents: readonly object[]) => ({
  cursor: { id: Long.ZERO, ns: 'a.b', firstBatch: documents },
  ok: 1,
})

/** Answers what the server has no command or stage for with a declared reply; all else gets its own. */
const declare =
  (document: object): Tamper =>
  (reply, client, requestId) => {
    const { ok } = deserialize(reply.subarray(bodyOffset)) as { readonly ok: number }
    client.write(ok === 1 ? reply : aReply(document, requestId))
  }

test.each(['driver', 'wire'] as const)(
  'the vector searches that ship run through, by declared replies: %s',
  async (engine) => {
    await using proxy = await startTamperingProxy(server.uri)
    proxy.tamperAll('createSearchIndexes', declare({ ok: 1, indexesCreated: [{ id: '1', name: 'vectors' }] }))
    proxy.tamperAll('aggregate', declare(cursorOf(Array.from({ length: 10 }, (_, _id) => ({ _id, score: 1 })))))
    const { variants } = await run('fixtures/specs/search/vectors.json', { profile: 'smoke', uri: proxy.uri, engine })
    const { phases } = variants[0] ?? fail('no row')
    const found = phases.flatMap(({ operations }) => operations)
    expect(found.map(({ name, failed, missing, explain }) => [name, failed, missing, explain?.recall])).toEqual(
      [10, 20, 50, 100, 200].map((candidates) => [`of${candidates}`, 0, 0, 1]),
    )
  },
)

test('a server that is not set up for searches has none: by a declared reply', async () => {
  const { rows } = await loadSpecFile('fixtures/specs/search/vectors.json', { profile: 'smoke' })
  await using proxy = await startTamperingProxy(server.uri)
  proxy.tamperAll(
    'aggregate',
    declare({ ok: 0, code: 31_082, codeName: 'SearchNotEnabled', errmsg: 'requires additional configuration' }),
  )
  const client = new MongoClient(proxy.uri)
  try {
    await expect(checkSearchServer(rows[0]?.spec ?? fail('no row'), client.db('shop'))).rejects.toSay(
      'search-server-missing',
    )
  } finally {
    await client.close()
  }
})
