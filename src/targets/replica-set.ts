import { z } from 'zod'
import { facts } from './facts.ts'
import { formReplicaSet } from './form-replica-set.ts'
import { linkFaults, links } from './links/links-spec.ts'
import { checkLinks, type Links, startLinks } from './links/start-links.ts'
import { firstPrimary, members, setConfiguration, settings, type SetMember } from './replica-set-options.ts'
import { resolveServerOptions, serverOptions, type ServerOptions } from './server/server-options.ts'
import { mongoshLine } from './server/shell-line.ts'
import { memberOf, type Servers, type ServerRequest, startServers } from './start-servers.ts'
import { defineTarget, type RunningTarget, type TargetLinks } from './target.ts'

const setName = 'mongoperf'

export const replicaSet = defineTarget({
  kind: 'replicaSet',
  summary: 'A throw-away replica set on this machine.',
  spec: z
    .strictObject({
      kind: z.literal('replicaSet'),
      members,
      settings,
      links,
      server: serverOptions.optional().describe('Options of every mongod; a member may have others. Default: none.'),
      fresh: z.boolean().default(false).describe('Whether every variant gets new servers. Default: false.'),
      facts,
    })
    .superRefine((spec, context) => {
      for (const { path, message } of linkFaults(spec.links ?? [], spec.members.length))
        context.addIssue({ code: 'custom', path: ['links', ...path], message })
    }),
  servers: ({ members: list, server }) => serverRequests(list, server).map(({ options }) => options),
  async start(spec, context) {
    checkLinks(spec.links ?? [], context.host)
    const servers = await startServers(serverRequests(spec.members, spec.server, context.scripting), context)
    const parts: AsyncDisposable[] = [servers]
    try {
      const proxies = await startLinks(spec.links ?? [], servers.processes, context)
      parts.push(proxies)
      const places = spec.members.map((member, index) => ({ member, host: hostOf(proxies, index) }))
      const configuration = setConfiguration(setName, places, spec.settings)
      const first = firstPrimary(spec.members)
      await formReplicaSet(servers.processes, configuration, first, context.signal)
      const initiation = mongoshLine(servers.processes[first]?.port ?? 0, { replSetInitiate: configuration })
      const achieved = await proxies.measured()
      return running(servers, { proxies, list: spec.members, initiation, achieved })
    } catch (error) {
      await disposeAll(parts)
      throw error
    }
  },
})

/** What stays the same while the limits of the servers change. */
type Formed = {
  readonly proxies: Links
  readonly list: readonly SetMember[]
  readonly initiation: string
  readonly achieved: TargetLinks | undefined
}

function running(servers: Servers, formed: Formed): RunningTarget {
  const { proxies, list, initiation, achieved } = formed
  const { processes } = servers
  return {
    kind: 'replicaSet',
    uri: `mongodb://${proxies.hosts.join()}/?replicaSet=${setName}`,
    members: processes
      .map((process, index) => ({ ...memberOf(process), hostInSet: hostOf(proxies, index) }))
      .filter((_, index) => list[index]?.arbiter === false),
    commands: [...processes.flatMap(({ commands }) => commands), ...proxies.commands, initiation],
    startedByUs: true,
    ...(achieved && { links: achieved }),
    changeLimits: async (limits) => running(await servers.changeLimits(limits), formed),
    [Symbol.asyncDispose]: () => disposeAll([servers, proxies]),
  }
}

/** All of them, also when one fails. */
async function disposeAll(parts: readonly AsyncDisposable[]): Promise<void> {
  const ends = await Promise.allSettled(parts.map((part) => part[Symbol.asyncDispose]()))
  const failure = ends.find((end) => end.status === 'rejected')
  if (failure) throw failure.reason
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

function hostOf({ hosts }: Links, index: number): string {
  const host = hosts[index]
  if (host === undefined) throw new Error(`There is no server for member ${index}`)
  return host
}
