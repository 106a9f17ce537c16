import { type Document } from 'bson'
import { expect, test } from 'vitest'
import { type MethodKind, type NamedArguments } from '../../../../src/load/engines/intent.ts'
import { getOperation } from '../../../../src/spec/operations/index.ts'
import { fakeOperation, sendTo } from '../../../fakes/fake-calls.ts'
import { aReply } from '../../../protocol/wire/a-message.ts'
import { sharedServer } from '../../support/shared-servers.ts'
import { engineOf } from './both-engines.ts'
import { startTamperingProxy } from './tampering-proxy.ts'

const server = sharedServer()

const options = {}
const ten = Array.from({ length: 10 }, (_, x) => ({ x }))
const change = { filter: { _id: 1 }, update: { $inc: { n: 1 } }, options }

/** Replies of one server that no call of their kind can have. */
const cases: readonly (readonly [kind: MethodKind, args: NamedArguments, command: string, reply: Document])[] = [
  ['insertMany', { documents: ten, options }, 'insert', { n: 9 }],
  ['insertMany', { documents: ten, options }, 'insert', { n: 11 }],
  ['updateOne', change, 'update', { n: 3, nModified: 3 }],
  ['updateOne', change, 'update', { n: 1, nModified: 2 }],
  ['replaceOne', { filter: {}, replacement: {}, options }, 'update', { n: 2, nModified: 1 }],
  ['updateMany', change, 'update', { n: 1, nModified: 2 }],
  ['deleteOne', { filter: {}, options }, 'delete', { n: 2 }],
  ['findOneAndUpdate', change, 'findAndModify', { lastErrorObject: { n: 2, updatedExisting: true }, value: null }],
  [
    'bulkWrite',
    { writes: ten.map((document) => ({ kind: 'insertOne', namespace: undefined, fields: { document } })), options },
    'insert',
    { n: 9 },
  ],
]
/** The driver does not pass the count on. */
const ofWire: typeof cases = [['insertOne', { document: {}, options }, 'insert', { n: 0 }]]

test.each([
  ['driver', cases],
  ['wire', [...cases, ...ofWire]],
] as const)('with the engine %s a reply with impossible counts leaves it unknown what was done', async (name, all) => {
  await using proxy = await startTamperingProxy(server.uri)
  const operations = all.map(([kind]) => fakeOperation({ kind, reply: getOperation(kind).reply }))
  const engine = engineOf(name, proxy.uri, 'impossible', { deadlineMs: 5000, operations })
  const found: unknown[] = []
  for (const [operation, [kind, args, command, reply]] of all.entries()) {
    proxy.tamperOnce(command, (_, client, id) => client.write(aReply({ ...reply, ok: 1 }, id)))
    const outcome = await sendTo(engine, { operation, args, bytes: 0 })
    found.push([kind, outcome.kind, 'name' in outcome && outcome.name, outcome.reply.inserted + outcome.reply.matched])
  }
  await engine.close()
  expect(found).toEqual(all.map(([kind]) => [kind, 'unknown', 'ImpossibleCounts', 0]))
  expect(proxy.connections()).toBeLessThan(all.length)
})
