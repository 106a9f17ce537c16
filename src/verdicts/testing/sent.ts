import { type PlannedCommand, explainCommand } from './plan-of-command.ts'
import { type CommandClient, type MonitoredCommand, watchCommands } from './watch-commands.ts'

/** Calls whose commands are looked at. */
const callsWatched = 3

/** What a few calls of a function sent to the server. */
export type Sent =
  | { readonly kind: 'seen'; readonly calls: readonly SentByCall[] }
  /** There is no client to listen to, or it does not report its commands. */
  | { readonly kind: 'not seen'; readonly reason: string; readonly hint: string }

/** The commands of one call, in their order, and how the server makes those that have a plan. */
export type SentByCall = { readonly commands: readonly PlannedCommand[] }

/** What a few calls did before anything was timed. */
export type FirstCalls = {
  readonly sent: Sent
  /** What they threw. */
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
    calls.push({ commands: await planned(client, [...watch.take()]) })
  })
  return { sent: { kind: 'seen', calls }, firstErrors }
}

const noClient: Sent = {
  kind: 'not seen',
  reason: 'no client was given',
  hint: 'Hand in what the function works with: measure(function, { on: client }), a Db or a Collection.',
}

const notReporting: Sent = {
  kind: 'not seen',
  reason: 'its client was connected before, without reporting commands',
  hint: 'Create it with new MongoClient(uri, { monitorCommands: true }); of mongoose, connect(uri, { monitorCommands: true }).',
}

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
