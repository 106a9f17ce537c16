import { type PackedError, packError } from '../../../load/threads/messages.ts'
import { redactQuote } from '../../../servers/targets/connection/redact.ts'
import { InvalidSpec } from '../../../spec/invalid-spec.ts'

/** Addresses as drivers and resolvers quote them. A position such as `spec of the run:1:2345` is none. */
const addresses =
  /(?:\b(?:\d{1,3}\.){3}\d{1,3}|\[[\da-f:]+\]|\b(?=[\w.-]*[a-z])[\w.-]+):\d{4,5}\b|(?<=\b(?:ENOTFOUND|EAI_AGAIN) )\S+/gi

/** Packs an error for a coordinator: with the name of the agent, and without what is of its machine alone. */
export function packFailure(
  error: unknown,
  { name, secrets }: { readonly name: string; readonly secrets: readonly string[] },
): PackedError {
  const fit = (text: string): string => redactQuote(text, secrets).replaceAll(addresses, '***')
  const { problem, message, ...packed } = packError(error)
  // The file of the spec lies at the coordinator, and its editor has nothing to do with what an agent allows.
  const hint =
    error instanceof InvalidSpec ? 'start it with the options that allow this spec.' : fit(problem?.hint ?? '')
  // Those that are lost can be helped at the coordinator.
  const where = problem?.code === 'agents-unavailable' ? '' : 'At the agent: '
  return {
    ...packed,
    message: `Agent ${name}: ${fit(message)}`,
    stack: undefined,
    problem: problem && { ...problem, hint: `${where}${hint}` },
  }
}
