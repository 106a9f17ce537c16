import { MongoServerSelectionError } from 'mongodb'
import { ConnectionString } from 'mongodb-connection-string-url'
import { Problem } from '../../core/errors.ts'
import { createAdminClient } from './admin-client.ts'
import { messageWithoutSecrets } from './driver-error.ts'
import { type Hello, readHello } from './hello.ts'
import { memberUri } from './member-uri.ts'

const directMs = 2_000

/**
 * What is wrong where the address of a URI answers, and the members that it names are out of reach: the driver asks the set
 * for its members and then uses their addresses alone. Undefined where it is something else.
 */
export async function explainUnreachedSet(error: unknown, uri: string, variable: string): Promise<Problem | undefined> {
  if (!(error instanceof MongoServerSelectionError)) return undefined
  const { answers, setName, hosts } = await helloFrom(uri)
  const wanted = new ConnectionString(uri).searchParams.get('replicaSet')
  if (answers && wanted !== null && wanted !== setName) return wrongSet(variable, wanted, setName)
  if (setName === undefined) return undefined
  const reason = messageWithoutSecrets(error, uri)
  return new Problem(
    'target-unreachable',
    `The address of ${variable} answers, and the set "${setName}" behind it names its members ${hosts.join(', ')}, which cannot be used from here: ${reason}`,
    {
      hint: 'Through a tunnel, add directConnection=true to the URI to measure the one member that it leads to (with --allow-remote), or make the names of all members reachable.',
    },
  )
}

function wrongSet(variable: string, wanted: string, setName: string | undefined): Problem {
  const is = setName === undefined ? 'is a member of no set' : `belongs to the set "${setName}"`
  const right = setName === undefined ? 'Take replicaSet out of the URI.' : `Write replicaSet=${setName} in the URI.`
  return new Problem(
    'target-unreachable',
    `The URI of ${variable} asks for the set "${wanted}", and the server that answers ${is}`,
    { hint: right },
  )
}

async function helloFrom(uri: string): Promise<Hello & { readonly answers: boolean }> {
  const [host = ''] = new ConnectionString(uri).hosts
  try {
    await using client = createAdminClient(withoutLogin(memberUri(uri, host)), { reachMs: directMs })
    return { answers: true, ...readHello(await client.db('admin').command({ hello: 1 })) }
  } catch {
    return { answers: false, ...readHello({}) }
  }
}

/** The question needs none, and a wrong one is not the matter here. */
function withoutLogin(uri: string): string {
  const open = new ConnectionString(uri)
  open.username = ''
  open.password = ''
  for (const option of ['authMechanism', 'authMechanismProperties', 'authSource']) open.searchParams.delete(option)
  return open.toString()
}
