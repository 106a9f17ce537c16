import { type RecordedCall } from '../../src/traffic/recording/recorded-call.ts'
import { fakeRandom, fakeTimes } from '../fakes/fake-result.ts'
import { aCall, aReplyOf } from './calls.ts'

const random = fakeRandom(52)

/** Every fourth call writes. */
const commands = [
  { find: 'orders', filter: { customer: 17 }, limit: 20 },
  { find: 'orders', filter: { _id: 5 } },
  { find: 'orders', filter: { customer: 4 }, limit: 20 },
  { update: 'orders', updates: [{ q: { _id: 5 }, u: { $set: { status: 'paid' } } }] },
]

/** Calls of a shop in twenty seconds, over twelve connections. */
export const shopTraffic: readonly RecordedCall[] = fakeTimes(random, 2400, 0.6).map((ms, index) =>
  aCall(commands[index % commands.length] ?? {}, {
    connection: index % 12,
    startUs: Math.round(((index + random()) / 2400) * 20_000_000),
    latencyUs: Math.round(ms * 1000),
    reply: index % commands.length === 3 ? aReplyOf({ n: 1, nModified: 1 }) : aReplyOf({ documents: 1, bytes: 1400 }),
  }),
)
