import { AsyncLocalStorage } from 'node:async_hooks'

/** A `MongoClient` of any version of the driver, as far as it is used here. */
export type CommandClient = {
  monitorCommands?: boolean
  readonly bsonOptions?: { readonly ignoreUndefined?: boolean }
  readonly on: (event: 'commandStarted', listener: (event: MonitoredCommand) => void) => unknown
  readonly off: (event: 'commandStarted', listener: (event: MonitoredCommand) => void) => unknown
  readonly db: (name: string) => {
    readonly command: (
      command: Readonly<Record<string, unknown>>,
      options?: { readonly ignoreUndefined: boolean },
    ) => Promise<unknown>
  }
}

/** A command as the driver reports it when it sends it. */
export type MonitoredCommand = {
  readonly commandName: string
  readonly databaseName: string
  readonly command: Readonly<Record<string, unknown>>
}

/** Listens to the commands of a client. */
export type CommandWatch = AsyncDisposable & {
  /** Whether the client reports what it sends: one that was connected before may not. */
  readonly isReporting: boolean
  /** Makes a call. */
  readonly run: (call: () => unknown) => unknown
  /** Returns the commands of the call, and not those of other work on the same client. */
  readonly take: () => readonly MonitoredCommand[]
}

/** Commands that a driver sends by itself. */
const ofDriver: ReadonlySet<string> = new Set(['hello', 'isMaster', 'ismaster', 'ping', 'endSessions'])

/** Listens until it is disposed of; the client is left as it was. */
export async function watchCommands(client: CommandClient): Promise<CommandWatch> {
  const before = client.monitorCommands
  // Counts for connections that are opened from now on.
  client.monitorCommands = true
  let seen: MonitoredCommand[] = []
  let pings = 0
  const contexts = new AsyncLocalStorage<object>()
  let current: object | undefined
  // Some clients lose the context: theirs is any command.
  let keepsContext = false
  const listen = (event: MonitoredCommand): void => {
    const context = contexts.getStore()
    if (event.commandName === 'ping') {
      pings += 1
      keepsContext ||= context !== undefined
    }
    if (!ofDriver.has(event.commandName) && (!keepsContext || context === current)) seen.push(event)
  }
  client.on('commandStarted', listen)
  const release = (): void => {
    client.off('commandStarted', listen)
    if (before !== undefined) client.monitorCommands = before
  }
  try {
    const ping = () => client.db('admin').command({ ping: 1 })
    // Connects, so that the context of the other one is not that of a first connection.
    await ping()
    await contexts.run({}, ping)
  } catch (error) {
    release()
    throw error
  }
  return {
    isReporting: pings > 0,
    run(call) {
      seen = []
      current = {}
      return contexts.run(current, call)
    },
    take: () => seen,
    async [Symbol.asyncDispose]() {
      release()
    },
  }
}
