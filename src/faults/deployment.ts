import { type Document, MongoClient } from 'mongodb'
import { type Clock } from '../clock.ts'
import { memberUri } from '../targets/member-uri.ts'
import { type RunningTarget } from '../targets/target.ts'
import { type FaultyServer } from './fault.ts'
import { connectPlainly, type ServerConnection } from './plain-connection.ts'

/** A server of a target, and how to ask it. */
export type KnownAddress = FaultyServer & { readonly connect: () => ServerConnection }

/** A command of ours that takes longer is given up: a server that has been frozen must hold nobody up. */
const commandMs = 15_000

/** The servers of a target, whether ours or not. Behind a router that others run there are none. */
export function serversOf(
  { processes, members, uri }: Pick<RunningTarget, 'processes' | 'members' | 'uri'>,
  clock: Clock,
): readonly KnownAddress[] {
  const known = (name: string, control: FaultyServer['control'], connect: () => ServerConnection): KnownAddress => ({
    name,
    control,
    connect,
    command: (command) => askOnce(connect, command, clock),
  })
  if (processes !== undefined)
    return processes.map((control) => known(control.name, control, () => connectPlainly(control.host)))
  return members.map(({ name, host }) => known(name, undefined, () => connectByDriver(memberUri(uri, host))))
}

async function askOnce(connect: () => ServerConnection, command: Document, clock: Clock): Promise<Document> {
  const connection = connect()
  const answered = new AbortController()
  try {
    const answer = connection.command(command)
    // Whoever loses the race ends unheard.
    answer.catch(() => undefined)
    return await Promise.race([
      answer,
      clock
        .sleep(commandMs, answered.signal)
        .then(() => Promise.reject(new Error(`no answer within ${commandMs / 1000} s`))),
    ])
  } finally {
    answered.abort()
    await connection.close()
  }
}

const driverTimeoutMs = 1_500

/** To a server of others, with its credentials and TLS options. */
function connectByDriver(uri: string): ServerConnection {
  const client = new MongoClient(uri, {
    appName: 'mongo-perf faults',
    maxPoolSize: 1,
    retryReads: false,
    serverSelectionTimeoutMS: driverTimeoutMs,
    connectTimeoutMS: driverTimeoutMs,
    socketTimeoutMS: commandMs,
  })
  return {
    command: (command) => client.db('admin').command(command),
    close: () => client.close(),
  }
}
