import { request } from 'node:http'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type LiveServer, startLiveServer } from '../../../src/run/live/live-server.ts'
import { fakeClock } from '../../fakes/fake-clock.ts'
import { aSecond } from './a-second.ts'

let server: LiveServer
beforeEach(async () => void (server = await startLiveServer({ port: 0, clock: fakeClock() })))
afterEach(() => server.close())

type Reply = { readonly status: number | undefined; readonly headers: object; readonly text: string }

const ask = (url: string, options: { method?: string; headers?: Record<string, string> } = {}): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const sent = request(url, { ...options, agent: false }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (more: string) => void (text += more))
      response.on('end', () => resolve({ status: response.statusCode, headers: response.headers, text }))
    })
    sent.on('error', reject).end()
  })

test('the page and its data are those that were shown last', async () => {
  server.show({ html: () => '<p>one', data: () => '1' })
  server.show({ html: () => '<p>two', data: () => '{"rows":2}' })
  const page = await ask(server.url)
  expect([page.status, page.text]).toEqual([200, '<p>two'])
  expect(page.headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
  })
  expect((await ask(`${server.url}data.json?again`)).text).toBe('{"rows":2}')
})

test('before there is something to show, browsers are asked to come again', async () => {
  expect(await ask(server.url)).toMatchObject({ status: 503, text: expect.toSay('live-not-begun') })
})

test('it listens on 127.0.0.1, and each server has a token of its own', async () => {
  const started = await startLiveServer({ port: 0, clock: fakeClock() })
  await using other = { server: started, [Symbol.asyncDispose]: () => started.close() }
  const [, token] = /^http:\/\/127\.0\.0\.1:\d+\/([\w-]{32})\/$/.exec(server.url) ?? []
  expect(token).toBeDefined()
  expect(other.server.url).not.toContain(token)
})

test.each(['', 'events', 'data.json', 'x'.repeat(32), `${'x'.repeat(32)}/`, `${'x'.repeat(32)}/events`])(
  'without the token there is nothing, "/%s"',
  async (path) => {
    expect((await ask(new URL(`/${path}`, server.url).href)).status).toBe(404)
  },
)

test.each(['unknown', '../', 'events/', '__proto__', 'constructor', '%', '/'])(
  'with it there is nothing else, "%s"',
  async (path) => {
    expect((await ask(`${server.url}${path}`)).status).toBe(404)
  },
)

test.each(['//', '//[', '*', '/%%%'])('an odd path "%s" takes nothing down', async (path) => {
  const { hostname, port } = new URL(server.url)
  const status = await new Promise((resolve, reject) => {
    request({ hostname, port, path, agent: false }, ({ statusCode }) => resolve(statusCode))
      .on('error', reject)
      .end()
  })
  expect(status).toBe(404)
})

test.each(['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'])('%s is not allowed', async (method) => {
  const { status, headers } = await ask(server.url, { method })
  expect([status, headers]).toEqual([405, expect.objectContaining({ allow: 'GET' })])
})

test('a name of another site that points here is refused', async () => {
  const { port } = new URL(server.url)
  server.show({ html: () => '<p>', data: () => '1' })
  expect((await ask(server.url, { headers: { Host: `evil.example:${port}` } })).status).toBe(403)
  expect((await ask(server.url, { headers: { Host: '127.0.0.1' } })).status).toBe(403)
  expect((await ask(server.url, { headers: { Host: `localhost:${port}` } })).status).toBe(200)
})

/** Reads events until so many have come. */
async function readEvents(count: number, headers: Record<string, string> = {}): Promise<readonly string[]> {
  const response = await fetch(`${server.url}events`, { headers })
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  const decoder = new TextDecoder()
  let text = ''
  const blocks = (): readonly string[] => text.split('\n\n').filter((block) => block.includes('event: '))
  for await (const bytes of response.body ?? []) {
    text += decoder.decode(bytes, { stream: true })
    if (blocks().length >= count) break
  }
  return blocks()
}

test('several browsers get the events so far, and those that come', async () => {
  await server.publish(aSecond())
  const both = Promise.all([readEvents(2), readEvents(2)])
  // They have subscribed when they have the first.
  await readEvents(1)
  await server.publish(aSecond({ second: 1 }))
  for (const [first, second] of await both) {
    expect(first).toBe(`retry: 1000\n\nid: 1\nevent: second\ndata: ${JSON.stringify(aSecond())}`.split('\n\n')[1])
    expect(second).toContain('id: 2\nevent: second\n')
  }
})

test('a browser that comes again gets what it has not seen', async () => {
  await server.publish(aSecond())
  await server.publish(aSecond({ second: 1 }))
  expect((await readEvents(1, { 'Last-Event-ID': '1' }))[0]).toContain('id: 2\n')
})

test('a browser that does not read is dropped before it fills the memory', async () => {
  const event = aSecond({ phase: 'x'.repeat(100_000) })
  const received = await new Promise<number>((resolve, reject) => {
    request(`${server.url}events`, (response) => {
      let bytes = 0
      response.on('data', (more: Buffer) => void (bytes += more.length))
      response.on('close', () => resolve(bytes)).on('error', () => {})
      // In one go: nothing is read meanwhile.
      for (let i = 0; i < 400; i++) void server.publish(event)
    })
      .on('error', reject)
      .end()
  })
  expect(received).toBeLessThan(20_000_000)
})

test('a label with line breaks stays within its event', async () => {
  const label = 'a\n\nevent: end\ndata: {}'
  await server.publish(aSecond({ row: { label, number: 1, of: 1 } }))
  const [first = ''] = await readEvents(1)
  expect(JSON.parse(first.split('\ndata: ')[1] ?? '')).toMatchObject({ row: { label } })
})

test('browsers have the end before the server is gone', async () => {
  await server.publish(aSecond())
  const read = readEvents(Infinity)
  await readEvents(1)
  await server.publish({ time: '2026-11-23T18:00:00.000Z', kind: 'end' })
  await server.close()
  expect((await read).at(-1)).toContain('event: end')
  await expect(ask(server.url)).rejects.toThrow('ECONNREFUSED')
  server = await startLiveServer({ port: 0, clock: fakeClock() })
})

test('a port that is in use is a problem with a hint', async () => {
  const port = Number(new URL(server.url).port)
  await expect(startLiveServer({ port, clock: fakeClock() })).rejects.toSay('live-port-in-use', { port })
})
