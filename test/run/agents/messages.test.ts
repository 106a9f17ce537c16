import { deflateRawSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { problems } from '../../../src/core/errors.ts'
import { emptyReply } from '../../../src/load/engines/engine.ts'
import { PhaseRecorder, type RecordedPhase } from '../../../src/load/measure/phase-part.ts'
import { packError } from '../../../src/load/threads/messages.ts'
import { agentAnswer, agentRequest, agentSignal } from '../../../src/run/agents/messages.ts'
import { pack, unpack } from '../../../src/run/agents/pack.ts'
import { unitPart } from '../../../src/run/agents/part-schema.ts'
import { redisSecrets } from '../../../src/run/agents/redis-secrets.ts'

const recorded = () => {
  const operations = [{ name: 'find', kind: 'findOne' }]
  const phase = { operations, keepSamples: 10, load: { kind: 'open' }, faults: [{}] }
  const recorder = new PhaseRecorder(phase as unknown as RecordedPhase, 0)
  const call = { operation: 0, number: 3, bytes: 10, documents: 1 } as Parameters<typeof recorder.record>[0]
  const error = { code: '1', name: 'Broken', message: 'no', labels: ['x'] } as const
  const failure = { kind: 'failed', ...error, reply: emptyReply } as const
  recorder.record(call, 5, 9, { kind: 'ok', reply: emptyReply })
  recorder.record(call, 6, 1200, failure as Parameters<typeof recorder.record>[3])
  recorder.recordArrival(call, 4, 5, 9, { kind: 'ok', reply: emptyReply })
  return recorder.take()
}

const rest = { evidence: [], completeBefore: 1, isLast: false, inFlight: 2 }

test('a part comes out of the queue as it went in, and is accepted', () => {
  const part = { recorded: recorded(), ...rest }
  expect(unitPart.parse(unpack(pack(part)))).toEqual(part)
})

const latency = { count: 1, sumUs: 1, minUs: 1, maxUs: 1, clamped: 0, buckets: Uint32Array.of(1, 1) }
const inSecond = (second: number, more: object = {}) => {
  const part = recorded()
  const [operation] = part.operations
  const seconds = [{ second, failed: 0, unknown: 0, documents: 0, ok: { ...latency, ...more } }]
  const changed = { ...part, operations: [{ ...operation, seconds }] }
  return { recorded: changed, ...rest }
}

test.each([
  ['a second of the next century', inSecond(10 ** 15)],
  ['a bucket that no latency has', inSecond(0, { buckets: Uint32Array.of(10 ** 9, 1) })],
  ['buckets that are no pairs', inSecond(0, { buckets: Uint32Array.of(1) })],
  ['buckets in another order', inSecond(0, { buckets: Uint32Array.of(5, 1, 3, 1) })],
])('%s is refused', (_, part) => {
  expect(unitPart.safeParse(inSecond(3)).success).toBe(true)
  expect(unitPart.safeParse(part).success).toBe(false)
})

test('a small message that unpacks to hundreds of megabytes is refused', () => {
  expect(() => unpack(deflateRawSync(Buffer.alloc(300 * 2 ** 20)))).toThrow(/larger than/)
})

test.each([
  ['a part with a field of its own', { recorded: { ...recorded(), code: 'x' }, ...rest }],
  ['a part without its counts', { recorded: {}, ...rest }],
  ['a text', 'part'],
])('%s is no part', (_what, value) => {
  expect(unitPart.safeParse(value).success).toBe(false)
})

test.each([
  ['another kind of request', { kind: 'evaluate', code: '1' }],
  ['a run without its time', { kind: 'run', phase: 'p', request: { pass: 'measured' } }],
  ['work with a URI', { kind: 'prepare', phase: 'p', work: { uri: 'mongodb://elsewhere' } }],
])('an agent refuses %s', (_what, value) => {
  expect(agentRequest.safeParse(value).success).toBe(false)
})

test('a signal cannot name a channel of others', () => {
  expect(agentSignal.safeParse({ kind: 'ping', run: 'run:1 *', number: 1 }).success).toBe(false)
})

test('problems of all codes reach the coordinator', () => {
  for (const code of Object.keys(problems)) {
    const error = { ...packError(new Error('x')), stack: undefined, problem: { code, hint: 'h' } }
    expect(agentAnswer.parse(unpack(pack({ kind: 'failed', error })))).toEqual({ kind: 'failed', error })
  }
})

test.each([
  ['redis://user:p%40ss@host:6379', ['p%40ss', 'p@ss']],
  ['rediss://:plain@host', ['plain']],
  ['redis://host:6379', []],
])('the password of %s is known', (url, expected) => {
  expect(redisSecrets(url)).toEqual(expected)
})
