import { type CommandClient, type MonitoredCommand, watchCommands } from '../../load/engines/watch-commands.ts'
import { countReplies, sumExamined } from '../../load/measure/call-work.ts'
import { type QueryPlan } from '../../load/measure/query-plan.ts'
import { type CallWork } from '../../metrics/work.ts'

/** Calls whose commands are looked at. */
const callsWatched = 3

/** Commands that a few calls of a function sent to the server. */
export type Sent =
  | { readonly kind: 'seen'; readonly calls: readonly SentByCall[] }
  /** There is no client to listen to, or it does not report its commands. */
  | { readonly kind: 'not seen'; readonly reason: string; readonly hint: string }

/** The commands of one call, in their order, and how the server makes those that have a plan; and the work of all of them together. */
export type SentByCall = { readonly commands: readonly PlannedCommand[]; readonly work: CallWork }

/** Findings about a few calls before anything was timed. */
export type FirstCalls = {
  readonly sent: Sent
  /** Errors that they threw. */
  readonly firstErrors: readonly string[]
}

/** Makes a few calls, one after the other, and looks at what they send. */
export async function makeFirstCalls(call: () => unknown, client: CommandClient | undefined): Promise<FirstCalls> {
  if (client === undefined) return { sent: noClient, firstErrors: await callOften(call) }
  await using watch = await watchCommands(client)
  if (!watch.isReporting) return { sent: notReporting, firstErrors: await callOften(call) }
  const calls: SentByCall[] = []
  const makeWatched = (): unknown => watch.run(call)
  const firstErrors = await callOften(makeWatched, async () => {
    const seen = [...watch.take()]
    const commands = await planned(client, seen)
    const plans = commands.flatMap(({ plan }) => plan ?? [])
    calls.push({ commands, work: { ...sumExamined(plans), ...countReplies(seen) } })
  })
  return { sent: { kind: 'seen', calls }, firstErrors }
}

const noClient: Sent = {
  kind: 'not seen',
  reason: 'no client was given',
  hint: 'Hand in what the function works with: measure(function, { on: client }), a Db or a Collection.',
}

export const notReporting = {
  kind: 'not seen',
  reason: 'its client was connected before, without reporting commands',
  hint: 'Create it with new MongoClient(uri, { monitorCommands: true }); with mongoose, connect(uri, { monitorCommands: true }).',
} satisfies Sent

async function callOften(call: () => unknown, afterCall = async (): Promise<void> => {}): Promise<readonly string[]> {
  const errors: string[] = []
  for (let made = 0; made < callsWatched; made++) {
    try {
      await call()
    } catch (thrown) {
      errors.push(thrown instanceof Error ? thrown.message : String(thrown))
    }
    await afterCall()
  }
  return errors
}

async function planned(
  client: CommandClient,
  commands: readonly MonitoredCommand[],
): Promise<readonly PlannedCommand[]> {
  const plans: PlannedCommand[] = []
  for (const command of commands) plans.push(await explainCommand(client, command))
  return plans
}

/** A command that was sent, and how the server makes it. */
export type PlannedCommand = {
  /** Name of the command, such as "find". */
  readonly name: string
  /** Null: the command names none. */
  readonly collection: string | null
  /** Null: such commands have no plan. One that the server does not explain is unknown, with the reason. */
  readonly plan: QueryPlan | null
}

/** Commands that find documents, and so have a plan; that of a write is made without writing. Others read nothing that is not in the plan of one of these. */
export const explained: ReadonlySet<string> = new Set([
  'find',
  'aggregate',
  'count',
  'distinct',
  'update',
  'delete',
  'findAndModify',
  'bulkWrite',
])

/** Fields that belong to a single sending of a command. */
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
  if (!explained.has(name)) return { name, collection, plan: null }
  // A server explains one write at a time.
  const work = name === 'update' || name === 'delete' ? keepFirstWrite(command) : command
  const kept = Object.fromEntries(Object.entries(work).filter(([key]) => !ofSending.has(key)))
  const { readQueryPlan, unknownPlan } = await import('../../load/measure/query-plan.ts')
  try {
    const explain = { explain: kept, verbosity: 'executionStats' }
    // Commands take no options of their client. Without this one, a field that was not sent would be null.
    const { ignoreUndefined = false } = client.bsonOptions ?? {}
    const answer = await client.db(databaseName).command(explain, { ignoreUndefined })
    return {
      name,
      collection,
      plan: readQueryPlan(answer) ?? unknownPlan('mongo-perf cannot read the form of its plan'),
    }
  } catch (error) {
    return { name, collection, plan: unknownPlan(error instanceof Error ? error.message : String(error)) }
  }
}

function keepFirstWrite(command: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const list = 'updates' in command ? 'updates' : 'deletes'
  const writes = command[list]
  return Array.isArray(writes) ? { ...command, [list]: writes.slice(0, 1) } : command
}
