import { type Document, serialize } from 'bson'
import { type RecordedCall, type RecordedReply } from '../../../src/traffic/recording/recorded-call.ts'

/** A recorded reply without anything in it, and what is given. */
export const aReply = (given: Partial<RecordedReply> = {}): RecordedReply => ({
  ok: true,
  code: 0,
  n: null,
  nModified: null,
  cursor: null,
  documents: null,
  digest: null,
  upsertedIds: [],
  bytes: 100,
  ...given,
})

/** A recorded call of the database "shop" that took 1 ms. */
export const aCall = (command: Document, given: Partial<RecordedCall> = {}): RecordedCall => ({
  connection: 0,
  startUs: 0,
  latencyUs: 1000,
  database: 'shop',
  name: Object.keys(command)[0] ?? '',
  command: Buffer.from(serialize(command)),
  session: null,
  acknowledged: true,
  requestBytes: 100,
  reply: aReply(),
  ...given,
})

/** A recording of these calls. */
export const aRecording = (calls: readonly RecordedCall[]) => ({
  async *calls() {
    for (const call of calls) yield call
  },
})
