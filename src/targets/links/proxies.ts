import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { type Connection, joinSockets } from './connection.ts'
import { oneWay } from './delays.ts'
import { type LinkState, type ProxyPlan, type SetLink } from './messages.ts'
import { pairKey } from './pairs.ts'
import { type SourceOf } from './source-of.ts'
import { type Waker } from './waker.ts'

export type Proxies = {
  /** One for each member, in their order, on the loopback interface. */
  readonly ports: readonly number[]
  readonly set: (link: SetLink) => void
}

type Entry = { readonly link: string; readonly connection: Connection }

/** Listens in front of every member, and delays what passes by who is at the other end. */
export async function startListening(plan: ProxyPlan, sourceOf: SourceOf, waker: Waker): Promise<Proxies> {
  const { members, links, seed } = plan
  const states = new Map<string, LinkState>()
  const connections = new Set<Entry>()
  let accepted = 0

  function accept(near: Socket, member: number, port: number): void {
    // One that has gone already has no port any more.
    const source = sourceOf({ from: near.remotePort ?? 0, to: near.localPort ?? 0 })
    const link = pairKey(source, member)
    const state = states.get(link) ?? 'open'
    if (state === 'cut') return void near.destroy()
    const number = accepted++
    const far = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    const ways = {
      there: oneWay(links, seed, source, member, number),
      back: oneWay(links, seed, member, source, number),
    }
    const entry: Entry = { link, connection: joinSockets(near, far, ways, waker, () => connections.delete(entry)) }
    connections.add(entry)
    if (state === 'stalled') entry.connection.hold()
  }

  return {
    ports: await Promise.all(members.map(({ port }, member) => listen((near) => accept(near, member, port)))),
    set({ one, other, state }) {
      const changed = pairKey(one, other)
      states.set(changed, state)
      for (const { link, connection } of connections) if (link === changed) change(connection, state)
    },
  }
}

async function listen(accept: (socket: Socket) => void): Promise<number> {
  const server = createServer({ allowHalfOpen: true }, accept).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

function change(connection: Connection, state: LinkState): void {
  switch (state) {
    case 'open':
      return connection.release()
    case 'cut':
      return connection.cut()
    case 'stalled':
      return connection.hold()
  }
}
