import { type Document, type MongoClient } from 'mongodb'
import { readHello } from './hello.ts'

/** Hosts of the members that hold data, as the deployment names them. Behind a router they are not ours to reach: none. */
export async function findMembers(client: MongoClient): Promise<readonly string[]> {
  const admin = client.db('admin')
  const answer = readHello(await admin.command({ hello: 1 }))
  // `hello` needs no login. This does, where the server asks for one, so that wrong credentials show now.
  await admin.command({ connectionStatus: 1 })
  if (answer.msg === 'isdbgrid') return []
  if (answer.setName === undefined) return client.options.hosts.map(String)
  try {
    const { members } = await admin.command({ replSetGetStatus: 1 })
    // By the configuration: of the state of the others, a member of a young set does not know yet.
    const names = (members as readonly Document[]).map(({ name }) => String(name))
    return names.filter((name) => !answer.arbiters.includes(name))
  } catch {
    // Without the right to ask (or on a service that hides it), what every client sees has to do: all but hidden members.
    return [...answer.hosts, ...answer.passives]
  }
}
