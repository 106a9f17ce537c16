import { type QueryPlan } from '../../load/measure/query-plan.ts'
import { type CommandClient, type MonitoredCommand } from './watch-commands.ts'

/** A command that was sent, and how the server makes it. */
export type PlannedCommand = {
  /** Of the command, such as "find". */
  readonly name: string
  /** Null: the command names none. */
  readonly collection: string | null
  /** Null: such commands have no plan, or the server would not explain this one. */
  readonly plan: QueryPlan | null
}

/** Commands that a server explains; the plan of a write is made without writing. */
const explained: ReadonlySet<string> = new Set([
  'find',
  'aggregate',
  'count',
  'distinct',
  'update',
  'delete',
  'findAndModify',
])

/** What belongs to one sending of a command, and to none other. */
const ofSending: ReadonlySet<string> = new Set([
  'lsid',
  'txnNumber',
  'startTransaction',
  'autocommit',
  '$clusterTime',
  '$db',
  '$readPreference',
  'writeConcern',
  'apiVersion',
  'apiStrict',
  'apiDeprecationErrors',
])

/** Asks the server how it makes a command. */
export async function explainCommand(
  client: CommandClient,
  { commandName: name, databaseName, command }: MonitoredCommand,
): Promise<PlannedCommand> {
  const named = command[name]
  const collection = typeof named === 'string' ? named : null
  if (!explained.has(name) || collection === null) return { name, collection, plan: null }
  // A server explains one write at a time.
  const work = name === 'update' || name === 'delete' ? keepFirstWrite(command) : command
  const kept = Object.fromEntries(Object.entries(work).filter(([key]) => !ofSending.has(key)))
  const { readQueryPlan } = await import('../../load/measure/query-plan.ts')
  try {
    const explain = { explain: kept, verbosity: 'executionStats' }
    // Commands take no options of their client. Without this one, a field that was not sent would be null.
    const { ignoreUndefined = false } = client.bsonOptions ?? {}
    const answer = await client.db(databaseName).command(explain, { ignoreUndefined })
    return { name, collection, plan: readQueryPlan(answer) ?? null }
  } catch {
    return { name, collection, plan: null }
  }
}

function keepFirstWrite(command: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const list = 'updates' in command ? 'updates' : 'deletes'
  const writes = command[list]
  return Array.isArray(writes) ? { ...command, [list]: writes.slice(0, 1) } : command
}
