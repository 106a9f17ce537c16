import { emptyReply, type Failure, type Outcome, type PhaseEngine, type Reply } from '../../src/engines/engine.ts'
import { noArguments } from '../../src/engines/intent.ts'
import { type CallSource, type MethodPlan, type PhasePlan } from '../../src/plan/plan.ts'

export const okOutcome = (reply: Partial<Reply> = { documents: 1 }): Outcome => ({
  kind: 'ok',
  reply: { ...emptyReply, ...reply },
})

export const failedOutcome = (code = '11000', name = 'DuplicateKey'): Failure => ({
  kind: 'failed',
  code,
  name,
  message: `${name} on purpose`,
  labels: [],
  reply: emptyReply,
})

export const unknownOutcome = (): Failure => ({
  ...failedOutcome('DeadlineExceeded', 'DeadlineExceeded'),
  kind: 'unknown',
})

export const fakeOperation = (plan: Partial<MethodPlan> = {}): MethodPlan => ({
  name: 'read',
  kind: 'findOne',
  database: undefined,
  collection: 'documents',
  reply: 'document',
  carriesDocuments: false,
  ...plan,
})

/** Calls of a fixed size, which remembers how many documents it was asked to stay within. */
export function fakeSource(documentsPerCall = 1): CallSource & { readonly asked: number[]; taken: number } {
  const source = {
    asked: [] as number[],
    taken: 0,
    next(documentsLeft: number) {
      source.asked.push(documentsLeft)
      source.taken += 1
      return {
        operation: 0,
        args: noArguments,
        bytes: 0,
        documents: Math.min(documentsPerCall, documentsLeft),
        number: source.taken - 1,
      }
    },
    digest: () => `${source.taken} calls`,
  }
  return source
}

/** Answers every call by the given function, which gets the call's number from 0. */
export function fakeEngine(
  answer: (number: number) => Outcome | Promise<Outcome> = () => okOutcome(),
): PhaseEngine & { sent: number; warmUps: number } {
  const engine = {
    sent: 0,
    warmUps: 0,
    async send(): Promise<Outcome> {
      engine.sent += 1
      return answer(engine.sent - 1)
    },
    warmUp: async () => void (engine.warmUps += 1),
    close: async () => {},
  }
  return engine
}

export const fakePhase = (plan: Partial<PhasePlan> = {}): PhasePlan => ({
  name: 'phase',
  measured: true,
  settle: false,
  load: { kind: 'closed' },
  workers: 1,
  threads: 1,
  warmup: undefined,
  stopAfter: { operations: 10 },
  deadlineMs: 1000,
  writeConcern: { w: 'majority' },
  readConcern: { level: 'local' },
  readPreference: { mode: 'primary' },
  keepSamples: 0,
  retries: 'none',
  faults: [],
  claims: undefined,
  operations: [fakeOperation()],
  streams: [],
  calls: () => fakeSource(),
  firstCalls: () => [],
  ...plan,
})
