import { Long, MongoClient } from 'mongodb'
import { expect, test } from 'vitest'
import { run, type SpecInput } from '../../../src/entries/index.ts'
import { createSearchIndexes } from '../../../src/run/data/search-indexes.ts'
import { checkSearchServer } from '../../../src/run/preflight/check-search-server.ts'
import { loadSpecFile } from '../../../src/spec/load-spec.ts'
import { fail } from '../../fakes/fail.ts'
import { stillClock } from '../../fakes/still-clock.ts'
import { aReply } from '../../protocol/wire/a-message.ts'
import { startTamperingProxy, type Tamper, type TamperingProxy } from '../load/engines/tampering-proxy.ts'
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

test.each(['driver', 'wire'])('recall is the share of the exact neighbours that a call returns: %s', async (engine) => {
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
})

test.each(['driver', 'wire'])(
  'the text searches that ship find more of frequent words than of rare ones: %s',
  async (engine) => {
    const { variants } = await run('fixtures/specs/search/text.json', {
      profile: 'smoke',
      uri: server.uri,
      repeat: 1,
      engine,
    } as never)
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
const sendReply =
  (document: object): Tamper =>
  (_, client, requestId) =>
    void client.write(aReply(document, requestId))

/** A client of a server whose next replies are these. */
async function declaring(
  replies: readonly (readonly [command: string, reply: object])[],
  work: (client: MongoClient, proxy: TamperingProxy) => Promise<void>,
) {
  await using proxy = await startTamperingProxy(server.uri)
  const client = new MongoClient(proxy.uri, { monitorCommands: true })
  try {
    await client.connect()
    for (const [command, reply] of replies) proxy.tamperOnce(command, sendReply(reply))
    await work(client, proxy)
    expect(proxy.forget()).toBe(0)
  } finally {
    await client.close()
  }
}

const indexes = [
  {
    name: 'vectors',
    type: 'vectorSearch' as const,
    definition: { fields: [{ type: 'vector', path: 'v', numDimensions: 2, similarity: 'cosine' }] },
  },
]
const created = { ok: 1, indexesCreated: [{ id: '1', name: 'vectors' }] }
const building = { name: 'vectors', status: 'BUILDING', queryable: false }

test('search indexes are created, and waited for until they can be queried: by declared replies', async () => {
  const replies = [
    ['createSearchIndexes', created],
    ['aggregate', cursorOf([building])],
    ['aggregate', cursorOf([{ ...building, status: 'READY', queryable: true }])],
  ] as const
  await declaring(replies, async (client) => {
    const sent: object[] = []
    const commands: unknown[] = []
    client.on(
      'commandStarted',
      ({ command }) => void commands.push(command['createSearchIndexes'] ?? command['pipeline']),
    )
    const clock = stillClock()
    const waits: number[] = []
    await createSearchIndexes(
      client.db('shop'),
      { collection: 'articles', searchIndexes: indexes },
      { clock: { ...clock, sleep: async (ms) => void waits.push(ms) }, onSent: (_, some) => void sent.push(...some) },
    )
    expect(commands).toEqual(['articles', [{ $listSearchIndexes: {} }], [{ $listSearchIndexes: {} }]])
    expect(waits).toEqual([500])
    expect(sent).toEqual([{ createSearchIndexes: 'articles', indexes, $db: 'shop' }])
  })
})

test('a search index that cannot be built ends the run: by declared replies', async () => {
  await declaring(
    [
      ['createSearchIndexes', created],
      ['aggregate', cursorOf([{ ...building, status: 'FAILED' }])],
    ],
    async (client) => {
      const making = createSearchIndexes(
        client.db('shop'),
        { collection: 'articles', searchIndexes: indexes },
        { clock: stillClock(), onSent: () => {} },
      )
      await expect(making).rejects.toSay('search-index-failed')
    },
  )
})

test('a server with a search server is taken, and one that is not set up for it is not: by declared replies', async () => {
  const { rows } = await loadSpecFile('fixtures/specs/search/vectors.json', { profile: 'smoke' })
  const { spec } = rows[0] ?? fail('no row')
  await declaring([['aggregate', cursorOf([])]], async (client) => await checkSearchServer(spec, client.db('shop')))
  const notEnabled = {
    ok: 0,
    code: 31_082,
    codeName: 'SearchNotEnabled',
    errmsg:
      'Using Atlas Search Database Commands and the $listSearchIndexes aggregation stage requires additional configuration.',
  }
  await declaring([['aggregate', notEnabled]], async (client) => {
    await expect(checkSearchServer(spec, client.db('shop'))).rejects.toSay('search-server-missing')
  })
})
