import { type Fields, openDocument } from './sample.ts'

/** Replies and names that show which server it is. */
export type ServerIdentity = {
  readonly buildInfo: Fields | null
  readonly serverStatus?: Fields | null
  readonly hello?: Fields | null
  /** Names of its hosts, without ports. */
  readonly hosts?: readonly string[]
}

/** Fields in which servers of other makers name themselves: `version` is the MongoDB whose interface they have. */
const makers: readonly (readonly [name: string, reply: 'buildInfo' | 'hello', ...path: string[]])[] = [
  ['FerretDB', 'buildInfo', 'ferretdbVersion'],
  ['FerretDB', 'buildInfo', 'ferretdb', 'version'],
  ['Percona Server for MongoDB', 'buildInfo', 'psmdbVersion'],
  ['DocumentDB', 'hello', 'internal', 'documentdb_versions'],
  ['Azure Cosmos DB for MongoDB (vCore)', 'hello', 'internal', 'cosmos_versions'],
]

/** Services that no reply names, by their host names. */
const services: readonly (readonly [name: string, host: RegExp])[] = [
  ['Amazon DocumentDB', /\bdocdb(?:-elastic)?\.amazonaws\.com$/i],
  ['Azure Cosmos DB', /\.(?:cosmos|documents)\.azure\.com$/i],
  ['Firestore', /\.firestore\.goog$/i],
]

const atlas = /\.mongodb(?:-\w+)?\.net$/i

/** The version of a MongoDB ("7.0.14", "8.0.4 on MongoDB Atlas"); another server by its name: "FerretDB 1.24.2 (MongoDB 7.0.42 interface)". */
export function describeServerVersion(identity: ServerIdentity): string {
  const { buildInfo, serverStatus = null, hosts = [] } = identity
  const version = stringIn(buildInfo, 'version') ?? stringIn(serverStatus, 'version') ?? 'unknown'
  const other = nameOther(identity)
  if (other !== undefined) return `${other} (MongoDB ${version} interface)`
  return hosts.some((host) => atlas.test(host)) ? `${version} on MongoDB Atlas` : version
}

export const isPlainMongoDB = (version: string): boolean => /^\d\S*$/.test(version)

function nameOther(identity: ServerIdentity): string | undefined {
  for (const [name, reply, ...path] of makers) {
    const own = stringIn(identity[reply] ?? null, ...path)
    if (own !== null) return `${isOfAzure(identity) ? `Azure ${name}` : name} ${own.replace(/^v/, '')}`
  }
  return services.find(([, pattern]) => identity.hosts?.some((host) => pattern.test(host)))?.[0]
}

const isOfAzure = ({ hello = null }: ServerIdentity): boolean =>
  valueIn(hello, ['internal', 'kind']) === 'azuredocumentdb'

export function valueIn(root: Fields | null, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, name) => openDocument(value)?.[name], root)
}

/** The text at a path in a reply, or the first of several. Null: there is none. */
export function stringIn(root: Fields | null, ...path: readonly string[]): string | null {
  const value = valueIn(root, path)
  const first: unknown = Array.isArray(value) ? value[0] : value
  return typeof first === 'string' && first !== '' ? first : null
}
