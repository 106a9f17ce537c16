import {
  type DbOptions,
  type ReadPreference,
  type TransactionOptions,
  type W,
  type WriteConcernSettings,
} from 'mongodb'
import { type Concerns, type WriteConcern } from '../concerns.ts'
import { type ReplyKind, replyTraits } from '../reply-traits.ts'
import { type DriverModule } from './client-options.ts'

export function toReadPreference(
  driver: DriverModule,
  { readPreference: { mode, tags, maxStalenessSeconds } }: Pick<Concerns, 'readPreference'>,
): ReadPreference {
  return new driver.ReadPreference(mode, tags, maxStalenessSeconds === undefined ? {} : { maxStalenessSeconds })
}

function toWriteConcern({ w, j, wtimeoutMS }: WriteConcern): WriteConcernSettings {
  return {
    // The driver's types know no modes that a set defines.
    w: w as W,
    ...(j !== undefined && { j }),
    ...(wtimeoutMS !== undefined && { wtimeoutMS }),
  }
}

/** Concerns that calls are sent with, by how their reply is read. */
export function toDbOptions(driver: DriverModule, reply: ReplyKind, concerns: Concerns): DbOptions {
  const { reads, writes } = replyTraits[reply]
  // Only what is needed: a `find` with a write concern on its handle costs a tenth more, because the driver deletes it from
  // the options of every call, and V8 makes objects slow that a property was deleted from.
  return {
    ...(writes && { writeConcern: toWriteConcern(concerns.writeConcern) }),
    ...(reads && {
      readConcern: new driver.ReadConcern(concerns.readConcern.level),
      readPreference: toReadPreference(driver, concerns),
    }),
  }
}

/** Converts the concerns of a phase to the driver's transaction options. */
export const transactionOptions = ({ readConcern, writeConcern, readPreference }: Concerns): TransactionOptions => ({
  readConcern,
  writeConcern: toWriteConcern(writeConcern),
  readPreference: readPreference.mode,
})
