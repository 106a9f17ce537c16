import { Problem } from '../../core/errors.ts'

/** The problem of a run of which an agent cannot go on. */
export const agentLost = (name: string, reason: string): Problem =>
  new Problem('agents-unavailable', `The agent ${name} ${reason}`, {
    hint: 'The load of all agents was ended. Finished rows are in the result; --resume runs the others.',
  })
