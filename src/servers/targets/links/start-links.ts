import { existsSync } from 'node:fs'
import path from 'node:path'
import { Problem } from '../../../core/errors.ts'
import { type Host } from '../server/limits/check-limits.ts'
import { type MongodProcess } from '../server/process/mongod-process.ts'
import { type StartContext, type TargetLinks } from '../target.ts'
import { createConditions } from './conditions.ts'
import { isDelayed, type LinkedPair, nameOfEnd } from './delays.ts'
import { linkedPairs, type LinkSpec } from './links-spec.ts'
import { measureLinks, measureOwnCost } from './measure-links.ts'
import { connectionTable } from './source-of.ts'
import { startProxies } from './start-proxies.ts'

/** Proxies between the members of a set, and between them and its clients. Disposing ends them. */
export type Links = AsyncDisposable & {
  /** "127.0.0.1:27017": where clients, and the configuration of the set, find each member. */
  readonly hosts: readonly string[]
  /** One line for each proxy, as comments of a shell: they are not started by hand. */
  readonly commands: readonly string[]
  /** To be called once the set has formed. Undefined where nothing stands between. */
  readonly measured: () => Promise<TargetLinks | undefined>
}

/** The seed of specs that name none. */
const usualSeed = 42

/**
 * Refuses proxies on a machine that does not show whose connections are whose, before anything is started.
 * @param areWanted By the links of a target, or by faults that cut or delay some.
 * @throws {Problem} "not-measurable-here"
 */
export function checkLinks(areWanted: boolean, { root }: Pick<Host, 'root'>): void {
  if (!areWanted || existsSync(path.join(root, 'proc', connectionTable))) return
  throw new Problem(
    'not-measurable-here',
    `Links are distinguished by who opened a connection, as /proc/${connectionTable} lists on Linux, and this machine has no such list`,
    { hint: 'Run on Linux, or take "links" out of the target, and partitions and delays out of the faults.' },
  )
}

/** @param servers The members, in the order of the spec, before they form a set. */
export function startLinks(
  links: readonly LinkSpec[],
  servers: readonly MongodProcess[],
  context: LinksContext,
): Promise<Links> {
  return areWanted(links, context)
    ? startAnyLinks(linkedPairs(links), servers, context)
    : Promise.resolve(noLinks(servers))
}

/** Whether anything is to stand between the members. */
export const areWanted = (links: readonly LinkSpec[], { needs }: Pick<StartContext, 'needs'>): boolean =>
  links.length > 0 || needs?.proxies === true

type LinksContext = Pick<StartContext, 'supervisor' | 'host' | 'seed' | 'signal' | 'needs' | 'serverCores'>

const noLinks = (servers: readonly MongodProcess[]): Links => ({
  hosts: servers.map(({ host }) => host),
  commands: [],
  measured: async () => undefined,
  [Symbol.asyncDispose]: async () => undefined,
})

async function startAnyLinks(
  links: readonly LinkedPair[],
  servers: readonly MongodProcess[],
  context: LinksContext,
): Promise<Links> {
  const {
    host: { root },
    seed = usualSeed,
    signal,
  } = context
  const members = servers.map(({ control, port }) => ({ pid: control.pid(), port }))
  const proxies = await startProxies({ seed, root, members, links }, context)
  for (const [member, { control }] of servers.entries())
    // Proxies that have died are reported when a link is to be changed.
    control.onNewProcess((pid) => void proxies.send({ kind: 'member', member, pid }).catch(() => undefined))
  const places = servers.map(({ host }, index) => ({
    host,
    proxy: onLoopback(proxies.ports.members[index]),
  }))
  const withDoors = links.map((link, index) => ({ ...link, door: onLoopback(proxies.ports.doors[index]) }))
  return {
    hosts: places.map(({ proxy }) => proxy),
    commands: places.map(({ host, proxy }, index) => `# proxy ${proxy} -> ${host} (${formatDelays(index, links)})`),
    async measured() {
      const passing = { through: onLoopback(proxies.ports.passing), past: places[0]?.host ?? '' }
      const ownCost = await measureOwnCost(passing, signal)
      await proxies.send({ kind: 'ownCost', rttMs: ownCost.quietMs })
      const achieved = { ownCostMs: ownCost.medianMs, pairs: await measureLinks(withDoors, places, signal) }
      if (signal.aborted) throw new Problem('aborted', 'The start of the links was stopped', { hint: 'Run again.' })
      return { achieved, conditions: createConditions(proxies.send) }
    },
    [Symbol.asyncDispose]: () => proxies[Symbol.asyncDispose](),
  }
}

const onLoopback = (port: number | undefined): string => `127.0.0.1:${port}`

/** "member1: client 71.187 ms, member0 20 to 24 ms" */
function formatDelays(member: number, links: readonly LinkedPair[]): string {
  const delays = links.filter(isDelayed).flatMap((link) => {
    const { from, to } = link
    if (from !== member && to !== member) return []
    return [`${nameOfEnd(from === member ? to : from)} ${formatRange(link)}`]
  })
  return `${nameOfEnd(member)}: ${delays.length === 0 ? 'no delay' : delays.join(', ')}`
}

const formatRange = ({ rttMs, jitterMs }: LinkedPair): string =>
  jitterMs === 0 ? `${rttMs} ms` : `${rttMs} to ${rttMs + jitterMs} ms`
