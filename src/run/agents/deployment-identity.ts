import { createHash } from 'node:crypto'
import { type Document } from 'mongodb'
import { createAdminClient } from '../../servers/targets/connection/admin-client.ts'
import { readHello } from '../../servers/targets/connection/members.ts'

/** Answers of a deployment. */
export type Deployment = {
  readonly hello: () => Promise<Document>
  readonly configVersion: () => Promise<Document | null>
  /** Hosts of the URI; asked for last, when names that stand for several are resolved. */
  readonly hosts: () => readonly string[]
}

export async function deploymentIdentity(uri: string): Promise<string> {
  await using client = createAdminClient(uri)
  return await computeDeploymentIdentity({
    hello: () => client.db('admin').command({ hello: 1 }),
    configVersion: () => client.db('config').collection('version').findOne(),
    hosts: () => client.options.hosts.map(String),
  })
}

/**
 * A digest that is the same wherever one deployment is reached from, and different for two: of the set's name and the id of its
 * primary's process, or of the id of the sharded cluster. It reveals no address, and needs no more rights than a run does.
 */
export async function computeDeploymentIdentity(deployment: Deployment): Promise<string> {
  const reply = await deployment.hello()
  const { msg, setName = null, hosts } = readHello(reply)
  const id =
    msg === 'isdbgrid'
      ? await clusterId(deployment)
      : // Servers before 4.4 give their processes no ids.
        ((reply['topologyVersion'] as Document | undefined)?.['processId'] ?? [...hosts, ...deployment.hosts()])
  return createHash('sha256')
    .update(JSON.stringify([setName, id]))
    .digest('hex')
}

/** The code of MongoDB for what a user may not do. */
const unauthorized = 13

/** Users who may write data only may not read the id: the routers that they name stand for it. */
async function clusterId({ configVersion, hosts }: Deployment): Promise<unknown> {
  try {
    return (await configVersion())?.['clusterId'] ?? hosts().toSorted()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === unauthorized) return hosts().toSorted()
    throw error
  }
}
