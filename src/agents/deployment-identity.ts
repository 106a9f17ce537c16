import { createHash } from 'node:crypto'
import { z } from 'zod'
import { createAdminClient } from '../targets/admin-client.ts'

const hello = z.object({
  msg: z.string().optional(),
  setName: z.string().optional(),
  hosts: z.array(z.string()).default([]),
  topologyVersion: z.object({ processId: z.unknown() }).optional(),
})

const version = z.object({ clusterId: z.unknown() })

/**
 * A digest that is the same wherever one deployment is reached from, and different for two: of the set's name and the id of its
 * primary's process, or of the id of the sharded cluster. It reveals no address, and needs no more rights than a run does.
 */
export async function deploymentIdentity(uri: string): Promise<string> {
  await using client = createAdminClient(uri)
  const answer = hello.parse(await client.db('admin').command({ hello: 1 }))
  const { setName = null, hosts, topologyVersion } = answer
  const id =
    answer.msg === 'isdbgrid'
      ? version.parse(await client.db('config').collection('version').findOne()).clusterId
      : // Servers before 4.4 give their processes no ids.
        (topologyVersion?.processId ?? [...hosts, ...client.options.hosts].map(String))
  return createHash('sha256')
    .update(JSON.stringify([setName, id]))
    .digest('hex')
}
