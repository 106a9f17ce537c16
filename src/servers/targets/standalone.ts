import { z } from 'zod'
import { cores } from './cores/divide-cores.ts'
import { resolveServerOptions, serverOptions } from './server/server-options.ts'
import { anyLost, createMember, type Servers, startServers } from './start/start-servers.ts'
import { facts, defineTarget, type RunningTarget } from './target.ts'

/** The target that starts a temporary `mongod` without replication on this machine. */
export const standalone = defineTarget({
  kind: 'standalone',
  summary: 'A throw-away mongod on this machine, without replication.',
  spec: z.strictObject({
    kind: z.literal('standalone'),
    // Without replication there is no oplog to size.
    server: serverOptions
      .omit({ oplogMB: true })
      .meta({ title: 'StandaloneServerOptions' })
      .optional()
      .describe('Options of the mongod. Default: none.'),
    cores,
    fresh: z.boolean().default(false).describe('Whether every variant gets a new server. Default: false.'),
    facts,
  }),
  servers: ({ server }) => [resolveServerOptions(server)],
  async start({ server }, context) {
    const request = { name: 'member0', options: resolveServerOptions(server, {}, context.scripting) }
    return running(await startServers([request], context))
  },
})

const running = (servers: Servers): RunningTarget => ({
  kind: 'standalone',
  uri: `mongodb://${servers.processes.map(({ host }) => host).join()}/?directConnection=true`,
  members: servers.processes.map(createMember),
  commands: servers.processes.flatMap(({ commands }) => commands),
  startedByUs: true,
  lost: anyLost(servers.processes),
  processes: servers.processes.map(({ control }) => control),
  changeLimits: async (limits) => running(await servers.changeLimits(limits)),
  [Symbol.asyncDispose]: () => servers[Symbol.asyncDispose](),
})
