import { expect, test } from 'vitest'
import { agentAnswer, agentRequest, agentSignal } from '../../src/agents/messages.ts'
import { pack, unpack } from '../../src/agents/pack.ts'
import { unitPart } from '../../src/agents/part-schema.ts'
import { PhaseRecorder } from '../../src/measure/phase-part.ts'
import { type RecordedPhase } from '../../src/measure/phase-part.ts'
import { redisSecrets } from '../../src/agents/redis-secrets.ts'
import { problems } from '../../src/errors.ts'
import { packError } from '../../src/load/messages.ts'
import { emptyReply } from '../../src/engines/engine.ts'

const recorded = () => {
  const phase = {
    operations: [{ name: 'find', kind: 'findOne' }],
    keepSamples: 10,
    load: { kind: 'open' },
    faults: [{}],
  }
  const recorder = new PhaseRecorder(phase as unknown as RecordedPhase, 0)
  const call = { operation: 0, number: 3, bytes: 10, documents: 1 } as Parameters<typeof recorder.record>[0]
  const failure = {
    kind: 'failed',
    code: '1',
    name: 'Broken',
    message: 'no',
    labels: ['x'],
    reply: emptyReply,
  } as const
  recorder.record(call, 5, 9, { kind: 'ok', reply: emptyReply })
  recorder.record(call, 6, 1200, failure as Parameters<typeof recorder.record>[3])
  recorder.recordArrival(call, 4, 5, 9, { kind: 'ok', reply: emptyReply })
  return recorder.take()
}

test('a part comes out of the queue as it went in, and is accepted', () => {
  const part = { recorded: recorded(), evidence: [], completeBefore: 1, isLast: false, inFlight: 2 }
  expect(unitPart.parse(unpack(pack(part)))).toEqual(part)
})

test.each([
  [
    'a part with a field of its own',
    { recorded: { ...recorded(), code: 'x' }, evidence: [], completeBefore: 1, isLast: false, inFlight: 2 },
  ],
  ['a part without its counts', { recorded: {}, evidence: [], completeBefore: 1, isLast: false, inFlight: 2 }],
  ['a text', 'part'],
])('%s is no part', (_what, value) => {
  expect(unitPart.safeParse(value).success).toBe(false)
})

test.each([
  ['another kind of request', { kind: 'evaluate', code: '1' }],
  ['a run without its time', { kind: 'run', request: { pass: 'measured' } }],
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
