import { emptyReply, type Outcome, type PhaseEngine } from '../src/load/engines/engine.ts'
import { type Share } from '../src/load/plan/share.ts'
import { type SpecInput } from '../src/spec/spec-input.ts'

export const okOutcome: Outcome = { kind: 'ok', reply: { ...emptyReply, documents: 1, bytes: 1024 } }
const answered = Promise.resolve(okOutcome)
const rest = { warmUp: async () => {}, close: async () => {} }

/** Engines that answer at once, inside of the process: what is left is what the harness itself takes. */
export const instantEngines = {
  'inside of send': { ...rest, send: (_call, done) => done(okOutcome) },
  'in a microtask': { ...rest, send: (_call, done) => void answered.then(done) },
} as const satisfies Readonly<Record<string, PhaseEngine>>

export type InstantEngine = keyof typeof instantEngines

/** Work of a thread of `harness`. */
export type WorkOfThread = { readonly engine: InstantEngine; readonly share: Share; readonly spec: SpecInput }
