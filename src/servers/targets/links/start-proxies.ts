import { type ChildProcess } from 'node:child_process'
import { Problem } from '../../../core/errors.ts'
import { forkHelper } from '../../child-process.ts'
import { pinProcess } from '../cores/cores-here.ts'
import { stopProcess } from '../server/guardian/process-identity.ts'
import { recordChild } from '../server/process/launch-program.ts'
import { type ProcessContext } from '../server/process/server-process.ts'
import { type LinkedPair, type End } from './delays.ts'

/** The process in which the proxies of a set run. Disposing ends it. */
export type ProxyProcess = AsyncDisposable & {
  readonly ports: ProxyPorts
  /** Resolves when it holds. */
  readonly send: (order: ProxyOrder) => Promise<void>
}

/** An idle process that hears signals. */
const graceMs = 2_000

/**
 * Starts the proxies, on the cores of the servers: they belong to the deployment.
 * @throws {Problem} "no-server" when it does not come to listen.
 */
export async function startProxies(
  plan: ProxyPlan,
  { supervisor, serverCores }: Pick<ProcessContext, 'supervisor' | 'serverCores'>,
): Promise<ProxyProcess> {
  await supervisor.guard()
  // Detached, as the servers are: a Ctrl-C in the terminal reaches us alone, and we decide when it ends.
  const child = forkHelper('servers/targets/links/proxy-process', [JSON.stringify(plan)], { detached: true })
  const record = recordChild(child, { program: 'proxy', name: 'links', port: 0, folders: [], groups: [] }, supervisor)
  const stop = async (): Promise<void> => {
    if (record !== undefined && (await stopProcess(record, graceMs))) supervisor.forget(record)
  }
  const answers = createAnswerQueue(child)
  try {
    const started = await answers.next()
    if (started.kind !== 'listening') throw notStarted(started.kind === 'failed' ? started.reason : 'it sent nothing')
    if (serverCores !== undefined && record !== undefined) await pinProcess(record.pid, serverCores)
    return {
      ports: started.ports,
      async send(order) {
        const answer = answers.next()
        child.send(order)
        await answer
      },
      [Symbol.asyncDispose]: stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

type Waiting = { readonly resolve: (answer: ProxyAnswer) => void; readonly reject: (error: Error) => void }

/** Answers in their order. Only while one is awaited does the process keep us running. */
function createAnswerQueue(child: ChildProcess): { readonly next: () => Promise<ProxyAnswer> } {
  let waiting: Waiting[] = []
  let end: Problem | undefined
  const rest = (): void => {
    if (waiting.length > 0) return
    child.unref()
    child.channel?.unref()
  }
  const finish = (reason: string): void => {
    end ??= notStarted(reason)
    for (const { reject } of waiting) reject(end)
    waiting = []
  }
  rest()
  child.on('message', (answer: ProxyAnswer) => {
    waiting.shift()?.resolve(answer)
    rest()
  })
  child.on('error', (error) => finish(error.message))
  child.on('exit', (code, signal) => finish(`it ended (${signal ?? `exit code ${code}`})`))
  return {
    next: () =>
      new Promise((resolve, reject) => {
        if (end !== undefined) return reject(end)
        waiting.push({ resolve, reject })
        // Both: of a process that ends, the channel is gone before its exit is reported.
        child.ref()
        child.channel?.ref()
      }),
  }
}

const notStarted = (reason: string): Problem =>
  new Problem('no-server', `The proxies of the links cannot be used: ${reason}`, {
    hint: 'Try without "links" whether the servers themselves start.',
  })

export type ProxyPlan = {
  readonly seed: number
  /** Root of the file system in which processes are looked up. */
  readonly root: string
  readonly members: readonly { readonly pid: number; readonly port: number }[]
  readonly links: readonly LinkedPair[]
}

/** Open: all passes. Cut: connections end, and new ones end at once. Stalled: nothing arrives until it is open again; nothing is lost. */
export type LinkState = 'open' | 'cut' | 'stalled'

/** The state and the added delay of a link from now on. */
export type LinkNow = {
  readonly state: LinkState
  /** Round trip that is added to its delay in the plan. */
  readonly rttMs: number
}

/** Message to the process of the proxies. */
export type ProxyOrder =
  | ({ readonly kind: 'link'; readonly one: End; readonly other: End } & LinkNow)
  /** Duration of a round trip through a proxy that holds nothing back. Delays are shorter by it. */
  | { readonly kind: 'ownCost'; readonly rttMs: number }
  /** A member that was restarted. */
  | { readonly kind: 'member'; readonly member: number; readonly pid: number }

/** Ports of the loopback interface. */
export type ProxyPorts = {
  /** Port of each member, in their order. */
  readonly members: readonly number[]
  /** For each link one where its second end is found as from its first, whoever knocks: so that a link of two members can be measured. */
  readonly doors: readonly number[]
  /** Leads to the first member, and never has a delay. */
  readonly passing: number
}

/** Answer of the process: once when it listens, then once to every message. */
export type ProxyAnswer =
  | { readonly kind: 'listening'; readonly ports: ProxyPorts }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'done' }
