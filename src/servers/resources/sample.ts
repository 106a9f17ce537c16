import { deserialize } from 'bson'
import { type MemberResources } from '../../results/schema/servers.ts'
import { type MetricName, metricEntries, type Reading } from '../../results/server-metrics.ts'

export type Role = MemberResources['role']
/** The command that a sample comes from. */
export type SourceName = NonNullable<MemberResources['source']>

/** The metrics of one member at one time of its own clock. */
export type Sample = {
  readonly source: SourceName
  /** Server time in milliseconds since 1970: when the values were taken, up to a second before the request. */
  readonly atMs: number
  readonly role: Role
  readonly pid: number | null
  readonly uptimeMs: number | null
  readonly values: Readonly<Partial<Record<MetricName, number>>>
  /** The member's name in the replica set. Null outside of a set. */
  readonly setName: string | null
  /** Wall-clock time of the last operation that each member of the set had applied, by name. */
  readonly appliedMs: ReadonlyMap<string, number>
}

/** Takes the samples of all members as they come, about one a second of each. It must not throw. */
export type OnSample = (member: string, sample: Sample) => void

/** Reads all metrics from the sections (`serverStatus`, `systemMetrics`, `replSetGetStatus`) of a reply. */
export function toSample(source: SourceName, atMs: number, sections: Fields): Sample {
  const read = createPathReader(sections)
  const values: Partial<Record<MetricName, number>> = {}
  for (const [name, { readings }] of metricEntries) {
    const value = firstNumber(readings.map((reading) => () => read(reading)))
    if (value !== null) values[name] = value
  }
  const status = openDocument(sections['serverStatus'])
  const repl = openDocument(status?.['repl'])
  return {
    source,
    atMs,
    role: parseRole(status, repl),
    pid: read({ paths: ['serverStatus.pid'], times: 1 }),
    uptimeMs: read({ paths: ['serverStatus.uptimeMillis'], times: 1 }),
    values,
    setName: typeof repl?.['me'] === 'string' ? repl['me'] : null,
    appliedMs: appliedTimes(openDocument(sections['replSetGetStatus'])),
  }
}

function firstNumber(attempts: readonly (() => number | null)[]): number | null {
  for (const attempt of attempts) {
    const value = attempt()
    if (value !== null) return value
  }
  return null
}

function parseRole(status: Fields | null, repl: Fields | null): Role {
  if (repl) return repl['isWritablePrimary'] === true ? 'primary' : repl['secondary'] === true ? 'secondary' : 'other'
  const process = status?.['process']
  return typeof process === 'string' && !process.startsWith('mongos') ? 'standalone' : 'other'
}

function appliedTimes(status: Fields | null): ReadonlyMap<string, number> {
  const members = status?.['members']
  const times = new Map<string, number>()
  for (const entry of Array.isArray(members) ? members : []) {
    // Servers before 5.0 report only `optimeDate`, in whole seconds.
    const { name, optimeDate, lastAppliedWallTime: applied = optimeDate } = openDocument(entry) ?? {}
    if (typeof name === 'string' && applied instanceof Date) times.set(name, applied.getTime())
  }
  return times
}

/** A document of a reply. */
export type Fields = Readonly<Record<string, unknown>>

/** Decodes one level of a document. With the driver's `raw` option nested documents are bytes, so only what is read is decoded. */
export function openDocument(value: unknown): Fields | null {
  if (value instanceof Uint8Array) return deserialize(value, { raw: true })
  return typeof value === 'object' && value !== null ? (value as Fields) : null
}

/** Returns a function that reads numbers by their paths. Each nested document is decoded once. */
function createPathReader(root: Fields): (reading: Reading) => number | null {
  const opened = new Map<unknown, Fields | null>()

  function open(value: unknown): Fields | null {
    const known = opened.get(value)
    if (known !== undefined) return known
    const document = openDocument(value)
    opened.set(value, document)
    return document
  }

  function follow(value: unknown, [name, ...rest]: readonly string[]): number | null {
    if (name === undefined) return typeof value === 'number' && Number.isFinite(value) ? value : null
    const document = open(value)
    if (!document) return null
    if (name === '*') return total(Object.values(document).map((entry) => follow(entry, rest)))
    return follow(document[name], rest)
  }

  return ({ paths, times }) => {
    const value = total(paths.map((path) => follow(root, path.split('.'))))
    return value === null ? null : value * times
  }
}

function total(values: readonly (number | null)[]): number | null {
  let result = 0
  for (const value of values) {
    if (value === null) return null
    result += value
  }
  return values.length === 0 ? null : result
}
