import { type PhaseResult } from '../results/schema.ts'
import { type ErrorCount } from '../results/schema/calls.ts'
import { redactQuote } from '../servers/targets/redact.ts'

type Quoting = Pick<PhaseResult, 'operations' | 'streams' | 'availability' | 'faults'>

/** Takes secrets out of the messages of servers and drivers: everything else in a result is our own text. */
export function redactPhase<Phase extends Quoting>(phase: Phase, secrets: readonly string[]): Phase {
  const cleaned = (text: string): string => redactQuote(text, secrets)
  const withoutSecrets = <Counted extends { readonly errors: readonly ErrorCount[] }>(counted: Counted): Counted => ({
    ...counted,
    errors: counted.errors.map((error) => ({ ...error, message: cleaned(error.message) })),
  })
  return {
    ...phase,
    operations: phase.operations.map((operation) => ({
      ...withoutSecrets(operation),
      steps: operation.steps.map(withoutSecrets),
    })),
    streams: phase.streams.map(withoutSecrets),
    availability: phase.availability.map(withoutSecrets),
    faults: phase.faults.map((fault) => ({
      ...fault,
      occurrences: fault.occurrences.map((one) => ({ ...one, error: one.error === null ? null : cleaned(one.error) })),
    })),
  }
}
