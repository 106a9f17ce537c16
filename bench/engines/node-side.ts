import { type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { gone, startProcess } from '../start-process.ts'
import { type NodeSideName, type Side, type SideCost, type SideLoad } from './side.ts'

/** Request to the process of a side. Each is answered by one message. */
export type NodeSideRequest =
  | { readonly kind: 'connect'; readonly name: NodeSideName; readonly load: SideLoad }
  | { readonly kind: 'run'; readonly operations: number }
  | { readonly kind: 'memory' }

/** A side whose memory can be asked for. */
export type NodeSide = Side & { readonly rssMB: () => Promise<number> }

/**
 * A client in a process of its own: no two of them share compiled code, a heap, or the CPU that is counted. Its connections
 * stand when this resolves.
 */
export async function startNodeSide(name: NodeSideName, load: SideLoad): Promise<NodeSide> {
  const file = new URL('node-side-process.ts', import.meta.url)
  const child = startProcess(file, [], ['ignore', 'inherit', 'inherit', 'ipc'])
  await ask(child, { kind: 'connect', name, load })
  return {
    measure: async (operations) => (await ask(child, { kind: 'run', operations })) as SideCost,
    rssMB: async () => ((await ask(child, { kind: 'memory' })) as { readonly rssMB: number }).rssMB,
    async [Symbol.asyncDispose]() {
      if (child.connected) child.disconnect()
      await gone(child)
    },
  }
}

async function ask(child: ChildProcess, request: NodeSideRequest): Promise<unknown> {
  const settled = new AbortController()
  const { signal } = settled
  const ended = once(child, 'exit', { signal }).then(() => Promise.reject(new Error('The process of a side has ended')))
  try {
    child.send(request)
    const [reply] = await Promise.race([once(child, 'message', { signal }), ended])
    return reply
  } finally {
    settled.abort()
    // Rejected by the signal, where a reply has come first.
    ended.catch(() => {})
  }
}
