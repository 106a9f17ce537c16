import { type Document } from 'mongodb'
import { type Clock } from '../../../core/clock.ts'
import { createLastingConnection } from '../../../protocol/wire/run-command.ts'
import { plainSettings } from '../../../protocol/wire/settings.ts'
import { createAdminClient } from '../../targets/connection/admin-client.ts'
import { memberUri } from '../../targets/connection/members.ts'
import { type RunningTarget } from '../../targets/target.ts'
import { type FaultyServer } from '../fault.ts'

/** A connection to one server, past any proxy in front of it. One command at a time. */
export type ServerConnection = {
  /** Sends an admin command. Rejects when it is refused, or when the connection ends; the next one gets a new connection. */
  readonly command: (command: Document) => Promise<Document>
  readonly close: () => void | Promise<void>
}

/** A server of a target, and how to ask it. */
export type KnownAddress = FaultyServer & { readonly connect: () => ServerConnection }

/** A command of ours that takes longer is given up: a server that has been frozen must not hold up the others. */
const commandMs = 15_000

/** The servers of a target, whether ours or not. Behind a router that others run there are none. */
export function listKnownServers(
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
    return processes.map((control) =>
      known(control.name, control, () => createLastingConnection(plainSettings(control.host))),
    )
  return members.map(({ name, host }) => known(name, undefined, () => connectByDriver(memberUri(uri, host))))
}

async function askOnce(connect: () => ServerConnection, command: Document, clock: Clock): Promise<Document> {
  const connection = connect()
  const answered = new AbortController()
  try {
    const answer = connection.command(command)
    // The loser of the race ends without effect.
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

const reachMs = 1_500

/** To a server of others, with its credentials and TLS options. */
function connectByDriver(uri: string): ServerConnection {
  const client = createAdminClient(uri, { purpose: 'faults', reachMs, pollMs: commandMs })
  return {
    command: (command) => client.db('admin').command(command),
    close: () => client.close(),
  }
}
