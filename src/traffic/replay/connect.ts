import * as mongodb from 'mongodb'
import { type Clock } from '../../core/clock.ts'
import { unreachable } from '../../load/engines/unreachable.ts'
import { createMembers } from '../../load/engines/wire/members.ts'
import { createMemberClient } from '../../load/engines/wire/wire-engine.ts'
import { type Connection, openConnection } from '../../protocol/wire/connection.ts'

/** The server of a replay: the primary of a set, a router, or what stands alone. */
export type ReplayServer = AsyncDisposable & {
  /** Opens a connection to it, as it is then. */
  readonly connect: () => Promise<Connection>
  /** Whether it takes writes with a number, which can be retried: a server that stands alone does not. @throws {Problem} "target-unreachable" */
  readonly takesRetries: () => Promise<boolean>
}

const maxSelectionMs = 30_000

/** @param uri A secret. @throws {Problem} "usage" when it asks for what only the driver does. */
export function reachServer(uri: string, clock: Clock): ReplayServer {
  const client = createMemberClient(uri, { serverSelectionTimeoutMS: maxSelectionMs })
  const members = createMembers(client, clock, maxSelectionMs)
  const connect = async (): Promise<Connection> =>
    await openConnection(await members.find(mongodb.ReadPreference.primary))
  return {
    connect,
    async takesRetries() {
      try {
        using connection = await connect()
        const { setName, msg } = await connection.command({ hello: 1 })
        return setName !== undefined || msg === 'isdbgrid'
      } catch (error) {
        throw unreachable(error)
      }
    },
    async [Symbol.asyncDispose]() {
      members[Symbol.dispose]()
      await client.close(true)
    },
  }
}
