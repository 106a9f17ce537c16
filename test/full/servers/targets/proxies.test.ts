import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { afterEach, expect, test, afterAll } from 'vitest'
import { comesTrue } from '../../../../bench/start/wait.ts'
import { systemClock } from '../../../../src/core/clock.ts'
import { startFineTimer } from '../../../../src/core/threads/fine-timer.ts'
import { type LinkedPair } from '../../../../src/servers/targets/links/delays.ts'
import { type Proxies, startListening } from '../../../../src/servers/targets/links/proxies.ts'
import { createWaker, createTimers } from '../../../../src/servers/targets/links/timers.ts'
import { fakeWaker } from '../../../fakes/fake-waker.ts'

/** More than a line holds back, so that its sender has to wait. */
const manyBytes = 40 * 1024 ** 2

const servers: Server[] = []
afterEach(() => servers.splice(0).forEach((server) => server.close()))

/** Listens in the place of a member. */
async function aServer(serve: (socket: Socket) => void): Promise<number> {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => undefined)
    serve(socket)
  }).listen(0, '127.0.0.1')
  servers.push(server)
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

const timer = await startFineTimer()
afterAll(timer.end)
const systemWaker = createWaker(createTimers(timer))

const echo = (): Promise<number> => aServer((socket) => socket.pipe(socket))

const proxyTo = (port: number, link: Partial<LinkedPair> = {}, waker = systemWaker): Promise<Proxies> =>
  startListening(
    {
      seed: 42,
      root: '/',
      members: [{ pid: 1, port }],
      links: [{ from: 'client', to: 0, rttMs: 10, jitterMs: 0, ...link }],
    },
    async (peers) => peers.map(() => 'client' as const),
    waker,
  )

const dial = ({ ports }: Proxies): Socket => connect(ports.members[0] ?? 0, '127.0.0.1').on('error', () => undefined)

/** All that comes in until the other side ends. */
async function hashOfAll(socket: Socket): Promise<string> {
  const hash = createHash('sha256')
  for await (const bytes of socket) hash.update(bytes as Buffer)
  return hash.digest('hex')
}

test.each<[string, Partial<LinkedPair>]>([
  ['a delay', { rttMs: 10 }],
  ['jitter', { rttMs: 10, jitterMs: 10 }],
  ['no delay', { rttMs: 0 }],
])(
  'every byte of a long message comes through a link with %s, in its order, and the end after it',
  async (_what, link) => {
    const socket = dial(await proxyTo(await echo(), link))
    const message = randomBytes(manyBytes)
    const received = hashOfAll(socket)
    socket.end(message)
    expect(await received).toBe(createHash('sha256').update(message).digest('hex'))
  },
)

/** The median of round trips in ms, one after the other. */
async function roundTripMs(socket: Socket): Promise<number> {
  const took: number[] = []
  for (let round = 0; round < 101; round++) {
    const startMs = systemClock.now()
    socket.write('a')
    await once(socket, 'data')
    took.push(systemClock.now() - startMs)
  }
  return took.toSorted((one, other) => one - other)[50] ?? 0
}

// A busy machine makes a round trip longer only.
test.each([0.5, 0.864, 1.4])('a round trip over a link of %d ms takes no less', async (rttMs) => {
  const socket = dial(await proxyTo(await echo(), { rttMs }))
  expect(await roundTripMs(socket)).toBeGreaterThan(rttMs * 0.9)
  socket.destroy()
})

test('what the proxy itself costs is part of the delay', async () => {
  const waker = fakeWaker()
  const proxies = await proxyTo(await echo(), {}, waker)
  const socket = dial(proxies)
  socket.write('a')
  expect(await comesTrue(async () => waker.waiting() === 1, 20_000)).toBe(true)
  proxies.follow({ kind: 'ownCost', rttMs: 10 })
  // Past what the first byte waits for, and nothing moves the clock again.
  waker.advanceTo(5)
  expect(String((await once(socket, 'data'))[0])).toBe('a')
  socket.write('b')
  expect(String((await once(socket, 'data'))[0])).toBe('b')
  socket.destroy()
})

test('a connection that is open one way only goes on that way', async () => {
  const port = await aServer((socket) => {
    socket.on('data', () => undefined)
    socket.on('end', () => socket.end('heard'))
  })
  const socket = dial(await proxyTo(port))
  const received = hashOfAll(socket)
  socket.end('bye')
  expect(await received).toBe(createHash('sha256').update('heard').digest('hex'))
})

test('a member that is not there closes the connection', async () => {
  const port = await echo()
  servers.splice(0).forEach((server) => server.close())
  const socket = dial(await proxyTo(port))
  socket.write('hello')
  await once(socket.resume(), 'close')
  expect(socket.destroyed).toBe(true)
})

test('a connection that ends before it has said anything is ended', async () => {
  const socket = dial(await proxyTo(await echo()))
  socket.end()
  await once(socket.resume(), 'close')
  expect(socket.destroyed).toBe(true)
})

test('a member that ends a connection by force ends it for its client', async () => {
  const port = await aServer((socket) => socket.on('data', () => socket.resetAndDestroy()))
  const socket = dial(await proxyTo(port))
  socket.write('hello')
  await once(socket.resume(), 'close')
  expect(socket.destroyed).toBe(true)
})

test('a link that is cut ends its connections and refuses new ones, until it is open again', async () => {
  const proxies = await proxyTo(await echo())
  const early = dial(proxies)
  early.write('a')
  await once(early, 'data')
  const closed = once(early, 'close')
  proxies.follow({ kind: 'link', one: 'client', other: 0, state: 'cut', rttMs: 0 })
  await closed
  const late = dial(proxies)
  late.write('a')
  await once(late.resume(), 'close')
  proxies.follow({ kind: 'link', one: 0, other: 'client', state: 'open', rttMs: 0 })
  const later = dial(proxies)
  later.write('b')
  expect(String((await once(later, 'data'))[0])).toBe('b')
  later.destroy()
})

test('a cut of another link leaves a connection alone', async () => {
  const proxies = await proxyTo(await echo())
  const socket = dial(proxies)
  proxies.follow({ kind: 'link', one: 1, other: 0, state: 'cut', rttMs: 0 })
  socket.write('a')
  expect(String((await once(socket, 'data'))[0])).toBe('a')
  socket.destroy()
})

test('a stalled link takes new connections too, and all that was sent arrives when it is open again', async () => {
  let arrived = 0
  const port = await aServer((socket) => {
    socket.on('data', (bytes) => void (arrived += bytes.length))
    socket.pipe(socket)
  })
  const proxies = await proxyTo(port)
  const early = dial(proxies)
  const receivedEarly = hashOfAll(early)
  early.write('a')
  expect(await comesTrue(() => early.bytesRead === 1, 10_000)).toBe(true)
  proxies.follow({ kind: 'link', one: 'client', other: 0, state: 'stalled', rttMs: 0 })
  const late = dial(proxies)
  const receivedLate = hashOfAll(late)
  const message = randomBytes(manyBytes)
  for (const socket of [early, late]) socket.end(message)
  await systemClock.sleep(200)
  expect(arrived).toBe(1)
  proxies.follow({ kind: 'link', one: 'client', other: 0, state: 'open', rttMs: 0 })
  expect(await receivedEarly).toBe(createHash('sha256').update('a').update(message).digest('hex'))
  expect(await receivedLate).toBe(createHash('sha256').update(message).digest('hex'))
})
