import { z } from 'zod'
import { type JsonObject } from '../../core/json.ts'
import { faultName, momentary } from './fault.ts'

/** For the reference: as a spec has it, without its kind. */
export const randomExample: JsonObject = {
  of: [{ kind: 'kill' }, { kind: 'pause', target: 'any' }, { kind: 'stepDown' }],
  atSeconds: 20,
  everySeconds: 40,
  forSeconds: { min: 5, max: 15 },
}

const seconds = z.number().positive().max(86_400)

/** @param drawn Every fault without its time. */
export const randomFault = <Drawn extends z.ZodType>(drawn: Drawn) =>
  z
    .strictObject({
      kind: z.literal('random'),
      name: faultName,
      of: z.array(drawn).min(1).describe('The faults to draw from, without their times: one each time.'),
      atSeconds: momentary.atSeconds,
      everySeconds: seconds.describe('Time from one fault to the next, in seconds.'),
      times: momentary.times,
      forSeconds: z
        .strictObject({ min: seconds, max: seconds })
        .refine(({ min, max }) => min <= max, { path: ['max'], error: 'is below "min"' })
        .describe('Seconds that a fault lasts, if there is something to undo: uniform between the two.'),
    })
    .meta({ title: 'RandomFault' })
    .describe('Random faults from the seed: one of several each time, for a random duration. For long runs.')
