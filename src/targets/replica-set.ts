import { z } from 'zod'
import { facts } from './facts.ts'
import { formReplicaSet } from './form-replica-set.ts'
import { firstPrimary, membersField, setConfiguration, settings, type SetMember } from './replica-set-options.ts'
import { resolveServerOptions, serverOptions, type ServerOptions } from './server/server-options.ts'
import { mongoshLine } from './server/shell-line.ts'
import { memberOf, type Servers, type ServerRequest, startServers } from './start-servers.ts'
import { defineTarget, type RunningTarget } from './target.ts'

const setName = 'mongoperf'

export const replicaSet = defineTarget({
  kind: 'replicaSet',
  summary: 'A throw-away replica set on this machine.',
  spec: z.strictObject({
    kind: z.literal('replicaSet'),
    members: membersField(3),
    settings,
    server: serverOptions.optional().describe('Options of every mongod; a member may have others. Default: none.'),
    fresh: z.boolean().default(false).describe('Whether every variant gets new servers. Default: false.'),
    facts,
  }),
  servers: ({ members: list, server }) => serverRequests(list, server).map(({ options }) => options),
  async start(spec, context) {
    const servers = await startServers(serverRequests(spec.members, spec.server, context.scripting), context)
    try {
      const places = spec.members.map((member, index) => ({ member, host: hostOf(servers, index) }))
      const configuration = setConfiguration(setName, places, spec.settings)
      const first = firstPrimary(spec.members)
      await formReplicaSet(servers.processes, configuration, first, context.signal)
      const initiation = mongoshLine(servers.processes[first]?.port ?? 0, { replSetInitiate: configuration })
      return running(servers, spec.members, initiation)
    } catch (error) {
      await servers[Symbol.asyncDispose]()
      throw error
    }
  },
})

const running = (servers: Servers, list: readonly SetMember[], initiation: string): RunningTarget => ({
  kind: 'replicaSet',
  uri: `mongodb://${servers.processes.map(({ host }) => host).join()}/?replicaSet=${setName}`,
  members: servers.processes.filter((_, index) => list[index]?.arbiter === false).map(memberOf),
  commands: [...servers.processes.flatMap(({ commands }) => commands), initiation],
  startedByUs: true,
  changeLimits: async (limits) => running(await servers.changeLimits(limits), list, initiation),
  [Symbol.asyncDispose]: () => servers[Symbol.asyncDispose](),
})

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

function hostOf({ processes }: Servers, index: number): string {
  const process = processes[index]
  if (process === undefined) throw new Error(`There is no server for member ${index}`)
  return process.host
}
