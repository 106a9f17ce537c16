import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { createDelayLine, type DelayLine } from './delay-line.ts'
import { oneWay, type OneWay, type End, pairKey } from './delays.ts'
import { isOfClient, type PeerPorts, type SourcesOf } from './source-of.ts'
import { type LinkNow, type LinkState, type ProxyOrder, type ProxyPlan, type ProxyPorts } from './start-proxies.ts'
import { type Waker } from './timers.ts'

export type Proxies = {
  readonly ports: ProxyPorts
  readonly follow: (order: Exclude<ProxyOrder, { readonly kind: 'member' }>) => void
}

type Entry = { readonly link: string; readonly connection: Connection }

/** A member that comes back opens several connections at once. */
const gatherMs = 2

/** Listens in front of every member, and delays what passes by who is at the other end. */
export async function startListening(plan: ProxyPlan, sourcesOf: SourcesOf, waker: Waker): Promise<Proxies> {
  const { members, links, seed } = plan
  /** Links that were changed since the start. */
  const changed = new Map<string, LinkNow>()
  const connections = new Set<Entry>()
  const pending: { readonly near: Socket; readonly peer: PeerPorts; readonly member: number }[] = []
  let ownCostMs = 0
  let accepted = 0

  const held =
    (delayMs: OneWay, link: string): OneWay =>
    () =>
      Math.max(0, delayMs() - ownCostMs / 2) + (changed.get(link)?.rttMs ?? 0) / 2

  function accept(near: Socket, source: End, member: number): void {
    const link = pairKey(source, member)
    const state = changed.get(link)?.state ?? 'open'
    if (state === 'cut') return void near.destroy()
    const number = accepted++
    const far = connect({ port: members[member]?.port ?? 0, host: '127.0.0.1', allowHalfOpen: true })
    const ways = {
      there: held(oneWay(links, seed, source, member, number), link),
      back: held(oneWay(links, seed, member, source, number), link),
    }
    const entry: Entry = { link, connection: joinSockets(near, far, ways, waker, () => connections.delete(entry)) }
    connections.add(entry)
    near.resume()
    entry.connection[state]()
  }

  /** Whoever connects speaks first. */
  function handleConnection(near: Socket, member: number): void {
    const peer = getPorts(near)
    // It may end before it is let in.
    near.on('error', () => {})
    const closeBeforeData = (): void => void near.destroy()
    near.once('end', closeBeforeData)
    near.once('data', (first: Buffer) => {
      near.off('end', closeBeforeData).pause().unshift(first)
      if (isOfClient(first)) return accept(near, 'client', member)
      pending.push({ near, peer, member })
      if (pending.length === 1) setTimeout(() => void acceptPending(), gatherMs)
    })
  }

  /** Who opened them is looked up for all that came since the last time. */
  async function acceptPending(): Promise<void> {
    const accepting = pending.splice(0)
    const sources = await sourcesOf(accepting.map(({ peer }) => peer))
    for (const [i, { near, member }] of accepting.entries())
      if (!near.destroyed) accept(near, sources[i] ?? 'client', member)
  }

  return {
    ports: {
      members: await Promise.all(members.map((_, member) => listen((near) => handleConnection(near, member)))),
      doors: await Promise.all(links.map(({ from, to }) => listen((near) => accept(near, from, to)))),
      passing: await listen((near) => accept(near, 0, 0)),
    },
    follow(order) {
      if (order.kind === 'ownCost') return void (ownCostMs = order.rttMs)
      const key = pairKey(order.one, order.other)
      changed.set(key, order)
      for (const { link, connection } of connections) if (link === key) connection[order.state]()
    },
  }
}

/** One that has gone already has none any more. */
const getPorts = ({ remotePort = 0, localPort = 0 }: Socket): PeerPorts => ({ from: remotePort, to: localPort })

async function listen(accept: (socket: Socket) => void): Promise<number> {
  const server = createServer({ allowHalfOpen: true }, accept).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

/** Two sockets that are one connection to those at their other ends: what each state of its link does to it. */
type Connection = Readonly<Record<LinkState, () => void>>

type Ways = { readonly there: OneWay; readonly back: OneWay }

/**
 * Hands on what comes in at one socket to the other, both ways. Both must be able to be open one way only.
 * @param onGone Called once, when both are closed.
 */
function joinSockets(near: Socket, far: Socket, { there, back }: Ways, waker: Waker, onGone: () => void): Connection {
  const lines = [lineBetween(near, far, there, waker), lineBetween(far, near, back, waker)]
  const cut = (): void => {
    for (const line of lines) line.discard()
    near.destroy()
    far.destroy()
  }
  let open = 2
  for (const socket of [near, far]) {
    socket.setNoDelay(true)
    socket.on('error', cut)
    socket.on('close', () => {
      open -= 1
      if (open === 0) onGone()
    })
  }
  return {
    open: () => lines.forEach((line) => line.release()),
    stalled: () => lines.forEach((line) => line.hold()),
    cut,
  }
}

function lineBetween(from: Socket, to: Socket, delayMs: OneWay, waker: Waker): DelayLine {
  const line = createDelayLine({
    delayMs,
    waker,
    deliver: (bytes) => to.write(bytes),
    deliverEnd: () => void to.end(),
    onRoom: () => void from.resume(),
  })
  from.on('data', (bytes: Buffer) => void (line.push(bytes) || from.pause()))
  from.on('end', line.end)
  to.on('drain', line.drained)
  to.on('close', line.discard)
  return line
}
