import { z } from 'zod'
import { cores } from './cores/divide-cores.ts'
import { linkIssues, linksSchema } from './links/links-spec.ts'
import { areWanted, checkLinks, type Links, startLinks } from './links/start-links.ts'
import { formReplicaSet, shutDownMembers } from './replica-set/form-replica-set.ts'
import { firstPrimary, membersField, setConfiguration, type SetMember, settingsSchema } from './replica-set/options.ts'
import { type MongodProcess } from './server/process/mongod-process.ts'
import { resolveServerOptions, serverOptions, type ServerOptions } from './server/server-options.ts'
import { mongoshLine } from './server/shell-line.ts'
import {
  anyLost,
  disposeAll,
  createMember,
  type ServerRequest,
  type Servers,
  startServers,
} from './start/start-servers.ts'
import { facts, defineTarget, type Member, type RunningTarget, type TargetLinks } from './target.ts'

const setName = 'mongoperf'

/** The target that starts a temporary replica set on this machine. */
export const replicaSet = defineTarget({
  kind: 'replicaSet',
  summary: 'A throw-away replica set on this machine.',
  spec: z
    .strictObject({
      kind: z.literal('replicaSet'),
      members: membersField(3),
      settings: settingsSchema,
      links: linksSchema,
      server: serverOptions.optional().describe('Options of every mongod; a member may have others. Default: none.'),
      cores,
      fresh: z.boolean().default(false).describe('Whether every variant gets new servers. Default: false.'),
      facts,
    })
    .superRefine((spec, context) => {
      for (const { path, message } of linkIssues(spec.links ?? [], spec.members.length))
        context.addIssue({ code: 'custom', path: ['links', ...path], message })
    }),
  servers: ({ members: list, server }) => serverRequests(list, server).map(({ options }) => options),
  async start(spec, context) {
    checkLinks(areWanted(spec.links ?? [], context), context.host)
    const servers = await startServers(serverRequests(spec.members, spec.server, context.scripting), context)
    const parts: AsyncDisposable[] = [servers]
    try {
      const proxies = await startLinks(spec.links ?? [], servers.processes, context)
      parts.push(proxies)
      const places = spec.members.map((member, index) => ({ member, host: getHost(proxies, index) }))
      const configuration = setConfiguration(setName, places, spec.settings)
      const first = firstPrimary(spec.members)
      await formReplicaSet(servers.processes, configuration, first, context.signal)
      // Before any member is stopped: a link needs both of its ends.
      const achieved = await proxies.measured()
      const stopped = spec.members.flatMap((member, index) => (member.stopped ? [index] : []))
      await shutDownMembers(servers.processes, stopped, context.signal)
      const portOf = (index: number): number => servers.processes[index]?.port ?? 0
      const setUp = [
        mongoshLine(portOf(first), { replSetInitiate: configuration }),
        ...stopped.map((index) => mongoshLine(portOf(index), { shutdown: 1 })),
      ]
      return running(servers, { proxies, list: spec.members, setUp, achieved })
    } catch (error) {
      await disposeAll(parts)
      throw error
    }
  },
})

/** Parts of a set that stay the same while the limits of the servers change. */
type Formed = {
  readonly proxies: Links
  readonly list: readonly SetMember[]
  /** Commands that made a set of the servers. */
  readonly setUp: readonly string[]
  readonly achieved: TargetLinks | undefined
}

function running(servers: Servers, formed: Formed): RunningTarget {
  const { proxies, list, setUp, achieved } = formed
  const { processes } = servers
  const processesWith = (has: (member: SetMember) => boolean): MongodProcess[] =>
    processes.filter((_, index) => {
      const member = list[index]
      return member !== undefined && has(member)
    })
  const toMember = (process: MongodProcess): Member => {
    const hostInSet = getHost(proxies, processes.indexOf(process))
    return { ...createMember(process), ...(hostInSet !== process.host && { hostInSet }) }
  }
  return {
    kind: 'replicaSet',
    uri: `mongodb://${proxies.hosts.join()}/?replicaSet=${setName}`,
    members: processesWith(({ arbiter, stopped }) => !arbiter && !stopped).map(toMember),
    stopped: processesWith(({ stopped }) => stopped === true).map(({ name }) => name),
    commands: [...processes.flatMap(({ commands }) => commands), ...proxies.commands, ...setUp],
    startedByUs: true,
    lost: anyLost(processes),
    ...(achieved && { links: achieved }),
    processes: processesWith(({ stopped }) => !stopped).map(({ control }) => control),
    changeLimits: async (limits) => running(await servers.changeLimits(limits), formed),
    [Symbol.asyncDispose]: () => disposeAll([servers, proxies]),
  }
}

function serverRequests(
  list: readonly SetMember[],
  target: ServerOptions | undefined,
  scripting?: boolean,
): ServerRequest[] {
  return list.map(({ server }, index) => ({
    name: `member${index}`,
    options: resolveServerOptions(target, server, scripting),
    replicaSet: setName,
  }))
}

function getHost({ hosts }: Links, index: number): string {
  const host = hosts[index]
  if (host === undefined) throw new Error(`There is no server for member ${index}`)
  return host
}
