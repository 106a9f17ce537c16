import { AsyncLocalStorage } from 'node:async_hooks'

/** A `MongoClient` of any version of the driver, as far as it is used here. */
export type CommandClient = {
  monitorCommands?: boolean
  /** Undefined while it is not connected. */
  readonly topology?: unknown
  readonly bsonOptions?: { readonly ignoreUndefined?: boolean }
  readonly on: (event: MonitoredEvent, listener: (event: MonitoredCommand) => void) => unknown
  readonly off: (event: MonitoredEvent, listener: (event: MonitoredCommand) => void) => unknown
  readonly db: (name: string) => {
    readonly command: (
      command: Readonly<Record<string, unknown>>,
      options?: { readonly ignoreUndefined: boolean },
    ) => Promise<unknown>
  }
}

type MonitoredEvent = 'connectionCheckOutStarted' | 'commandStarted' | 'commandSucceeded' | 'commandFailed'

/** A command as the driver reports it when it sends it; with its reply when that has come. */
export type MonitoredCommand = {
  readonly requestId: number
  readonly commandName: string
  readonly databaseName: string
  readonly command: Readonly<Record<string, unknown>>
  readonly reply?: unknown
}

/** A command of a call, in which round trip of the call it was sent, from 1, and its reply: undefined where it failed. */
export type WatchedCommand = MonitoredCommand & { readonly roundTrip: number }

/** Listens to the commands of a client. */
export type CommandWatch = AsyncDisposable & {
  /** Whether the client reports what it sends: one that was connected before may not. */
  readonly isReporting: boolean
  /** Makes a call. */
  readonly run: <Result>(call: () => Result) => Result
  /** Returns the commands of the call, and not those of other work on the same client. */
  readonly take: () => readonly WatchedCommand[]
}

/** Commands that a driver sends by itself. */
const ofDriver: ReadonlySet<string> = new Set(['hello', 'isMaster', 'ismaster', 'ping', 'endSessions'])

/** The commands of one call. Those that are sent before another one is answered share a round trip. */
class CallTrace {
  readonly commands: WatchedCommand[] = []
  /** Round trips of the commands that wait for a connection, in their order. */
  readonly #waiting: number[] = []
  #answered = 0

  /** Counts a command from here on: how long it waits for a connection depends on those that the pool has. */
  wait(): void {
    this.#waiting.push(this.#answered + 1)
  }

  start(command: MonitoredCommand): void {
    this.commands.push({ ...command, reply: undefined, roundTrip: this.#waiting.shift() ?? this.#answered + 1 })
  }

  answer({ requestId, reply }: MonitoredCommand): void {
    const index = this.commands.findLastIndex((command) => command.requestId === requestId)
    const command = this.commands[index]
    if (command === undefined) return
    this.commands[index] = { ...command, reply }
    this.#answered = Math.max(this.#answered, command.roundTrip)
  }
}

/** Listens until it is disposed of; the client is left as it was. */
export async function watchCommands(client: CommandClient): Promise<CommandWatch> {
  const before = client.monitorCommands
  // Counts for connections that are opened from now on.
  client.monitorCommands = true
  let trace = new CallTrace()
  let pings = 0
  const contexts = new AsyncLocalStorage<object>()
  // Some clients lose the context: theirs is any command.
  let keepsContext = false
  const isOfCall = (): boolean => !keepsContext || contexts.getStore() === trace
  const listeners: Readonly<Record<MonitoredEvent, (event: MonitoredCommand) => void>> = {
    connectionCheckOutStarted: () => (isOfCall() ? trace.wait() : undefined),
    commandStarted(event) {
      if (event.commandName === 'ping') {
        pings += 1
        keepsContext ||= contexts.getStore() !== undefined
      }
      if (!ofDriver.has(event.commandName) && isOfCall()) trace.start(event)
    },
    commandSucceeded: (event) => trace.answer(event),
    commandFailed: (event) => trace.answer(event),
  }
  const all = Object.entries(listeners) as [MonitoredEvent, (event: MonitoredCommand) => void][]
  for (const [event, listener] of all) client.on(event, listener)
  const release = (): void => {
    for (const [event, listener] of all) client.off(event, listener)
    if (before !== undefined) client.monitorCommands = before
    // Up to Node 22, calls that are measured later took 40 % more CPU time with a context that is still propagated.
    contexts.disable()
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
      trace = new CallTrace()
      return contexts.run(trace, call)
    },
    take: () => trace.commands,
    async [Symbol.asyncDispose]() {
      release()
    },
  }
}
