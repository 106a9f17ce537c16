import {
  type Call,
  emptyReply,
  type Failure,
  type Outcome,
  type PhaseEngine,
  type Reply,
} from '../../src/load/engines/engine.ts'
import { noArguments } from '../../src/load/engines/intent.ts'
import { type CallBudget, type CallSource, type MethodPlan, type PhasePlan } from '../../src/load/plan/plan.ts'

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

/** Calls of a fixed size, within a budget. */
export function fakeSource(
  documentsPerCall = 1,
  { operations = Infinity, documents = Infinity }: CallBudget = {},
): CallSource & { readonly sizes: number[]; taken: number } {
  const sizes: number[] = []
  const left = (): number => documents - sizes.reduce((sum, size) => sum + size, 0)
  const source: CallSource & { readonly sizes: number[]; taken: number } = {
    sizes,
    taken: 0,
    endedBecause: () => (source.taken >= operations ? 'operations' : left() > 0 ? undefined : 'documents'),
    next() {
      const size = Math.min(documentsPerCall, left())
      if (documents < Infinity) sizes.push(size)
      source.taken += 1
      return { operation: 0, args: noArguments, bytes: 0, documents: size, number: source.taken - 1 }
    },
    drawn: () => source.taken,
    digest: () => digestOf(source.taken),
  }
  return source
}

/** The digest of so many calls of a fake source. */
export const digestOf = (calls: number): string => `0000000000000000-${calls}`

/** Answers every call by the given function, which gets the call's number from 0. */
export function fakeEngine(
  answer: (number: number) => Outcome | Promise<Outcome> = () => okOutcome(),
): PhaseEngine & { sent: number; warmUps: number } {
  const engine = {
    sent: 0,
    warmUps: 0,
    send(_call: Call, done: (outcome: Outcome) => void): void {
      engine.sent += 1
      void Promise.resolve(answer(engine.sent - 1)).then(done)
    },
    warmUp: async () => void (engine.warmUps += 1),
    close: async () => {},
  }
  return engine
}

/** One call, and what came of it. */
export const sendTo = ({ send }: Pick<PhaseEngine, 'send'>, call: Call): Promise<Outcome> =>
  new Promise((resolve) => send(call, resolve))

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
  engine: 'driver',
  retries: 'none',
  faults: [],
  maxOutageMs: 0,
  pauses: false,
  claims: undefined,
  operations: [fakeOperation()],
  streams: [],
  calls: (_pass, budget) => fakeSource(1, budget),
  firstCalls: () => [],
  ...plan,
})
