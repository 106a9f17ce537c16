import { ConnectionString } from 'mongodb-connection-string-url'

/** The server's code of an action that the user's roles do not allow. */
const unauthorized = 13

/** What a `readWrite` user may do. Commands that it may not do need `dbAdmin` too. */
const readWriteCommands: ReadonlySet<string> = new Set([
  'insert',
  'update',
  'delete',
  'bulkWrite',
  'findAndModify',
  'find',
  'aggregate',
  'count',
  'distinct',
  'getMore',
  'create',
  'createIndexes',
  'drop',
  'dropIndexes',
  'listCollections',
  'listIndexes',
])

const denied = /not authorized on (\S+) to execute command \{ (\w+): "?([^",]*)/

/** Roles that the user lacks, as the server calls them. */
export type Roles = (command: string, collection: string) => readonly string[]

/** The roles that a user needs for a command that writes: `dbAdmin` too, unless `readWrite` covers the command. */
export const rolesToWrite: Roles = (command) =>
  command === '' || readWriteCommands.has(command) ? ['readWrite'] : ['readWrite', 'dbAdmin']

/** `read` does not cover a profile. */
export const rolesToRead: Roles = (_command, collection) =>
  collection === 'system.profile' ? ['read', 'dbAdmin'] : ['read']

/**
 * How a user gets the role that an action needs. Undefined: the error is no matter of roles.
 * @param database The one that is worked in, where the server does not name another.
 */
export function hintForMissingRole(
  error: Error,
  { uri, database, roles }: { readonly uri: string; readonly database: string; readonly roles: Roles },
): string | undefined {
  if (!('code' in error) || error.code !== unauthorized) return undefined
  const user = parseUser(uri)
  if (user === undefined) return 'The server asks for a login: put the name and the password of a user into the URI.'
  const [, named = database, command = '', collection = ''] = denied.exec(error.message) ?? []
  // Some commands are sent to "admin" and are about another database.
  const db = named === 'admin' ? database : named
  const granted = roles(command, collection).map(
    (role) => `{ role: ${JSON.stringify(role)}, db: ${JSON.stringify(db)} }`,
  )
  const line = `db.getSiblingDB(${JSON.stringify(user.database)}).grantRolesToUser(${JSON.stringify(user.name)}, [${granted.join(', ')}])`
  return `The user lacks a role on the database ${JSON.stringify(db)}. An administrator grants it in mongosh with ${line}`
}

function parseUser(uri: string): { readonly name: string; readonly database: string } | undefined {
  const { username, pathname, searchParams } = new ConnectionString(uri)
  if (username === '') return undefined
  const database = searchParams.get('authSource') ?? (decodeURIComponent(pathname.slice(1)) || 'admin')
  return { name: decodeURIComponent(username), database }
}
