import { type Document, MongoServerSelectionError } from 'mongodb'
import { ConnectionString } from 'mongodb-connection-string-url'
import { Problem } from '../errors.ts'
import { createAdminClient } from './admin-client.ts'
import { messageWithoutSecrets } from './driver-error.ts'
import { memberUri } from './member-uri.ts'

const directMs = 2_000

/**
 * What is wrong where the address of a URI answers, and the members that it names are out of reach: the driver asks the set
 * for its members and then uses their addresses alone. Undefined where it is something else.
 */
export async function explainUnreachedSet(error: unknown, uri: string, variable: string): Promise<Problem | undefined> {
  if (!(error instanceof MongoServerSelectionError)) return undefined
  const { setName, hosts = [] } = await helloFrom(uri)
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

type Hello = { readonly setName?: string; readonly hosts?: readonly string[] }

/** Empty where nothing answers. */
async function helloFrom(uri: string): Promise<Hello> {
  const [host = ''] = new ConnectionString(uri).hosts
  try {
    await using client = createAdminClient(withoutLogin(memberUri(uri, host)), { reachMs: directMs })
    return readHello(await client.db('admin').command({ hello: 1 }))
  } catch {
    return {}
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

const readHello = ({ setName, hosts }: Document): Hello => ({ setName, hosts })
