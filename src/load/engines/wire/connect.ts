import * as mongodb from 'mongodb'
import { openConnection } from '../../../protocol/wire/connection.ts'
import { type ConnectionSettings } from '../../../protocol/wire/settings.ts'
import { emptyReply, type Outcome } from '../engine.ts'
import { toOutcome } from '../outcomes.ts'
import { type Members } from './members.ts'
import { neverSent } from './pooled-connection.ts'

/** Creates the calls of `connect`: each opens a connection to the primary, uses it once and closes it. They share no pool. */
export function createConnect({ find }: Members): () => Promise<Outcome> {
  // To look for the primary is no part of connecting to it, until that fails.
  let found: Promise<ConnectionSettings> | undefined
  return async () => {
    try {
      found ??= find(mongodb.ReadPreference.primary)
      using connection = await openConnection(await found)
      await connection.command({ ping: 1 })
      return { kind: 'ok', reply: emptyReply }
    } catch (error) {
      found = undefined
      return toOutcome(neverSent(error))
    }
  }
}
