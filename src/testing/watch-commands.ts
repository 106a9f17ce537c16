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
  /** What was sent since the last time. */
  readonly take: () => readonly MonitoredCommand[]
}

/** What a driver sends by itself. */
const ofDriver: ReadonlySet<string> = new Set(['hello', 'isMaster', 'ismaster', 'ping', 'endSessions'])

/** Listens until it is disposed of; the client is left as it was. */
export async function watchCommands(client: CommandClient): Promise<CommandWatch> {
  const before = client.monitorCommands
  // Counts for connections that are opened from now on.
  client.monitorCommands = true
  let seen: MonitoredCommand[] = []
  let pings = 0
  const listen = (event: MonitoredCommand): void => {
    if (event.commandName === 'ping') pings += 1
    if (!ofDriver.has(event.commandName)) seen.push(event)
  }
  client.on('commandStarted', listen)
  const release = (): void => {
    client.off('commandStarted', listen)
    if (before !== undefined) client.monitorCommands = before
  }
  try {
    await client.db('admin').command({ ping: 1 })
  } catch (error) {
    release()
    throw error
  }
  return {
    isReporting: pings > 0,
    take() {
      const taken = seen
      seen = []
      return taken
    },
    async [Symbol.asyncDispose]() {
      release()
    },
  }
}
