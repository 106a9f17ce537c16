import { type Document } from 'bson'
import { z } from 'zod'
import { type Json } from '../../core/json.ts'
import { value } from '../../language/value-schema.ts'
import { validateFixed, fixedValue } from '../../language/values/fixed-value.ts'
import { target, targetSelectors } from './choose-servers.ts'
import { defineFault, forEachServer, lasting, startedTargetKinds } from './fault.ts'

/** The fault that turns on a fail point of the server, and turns it off again. */
export const failPoint = defineFault({
  kind: 'failPoint',
  summary:
    'Enables a fail point of the server (`configureFailPoint`), and disables it again. Its servers are started with `enableTestCommands`, so do not use its figures as performance results. The report has a warning.',
  timing: lasting,
  fields: {
    failPoint: z.string().min(1).describe('Name of the point in the source of the server, such as "failCommand".'),
    mode: z
      .union([
        z.literal('alwaysOn'),
        z.record(z.string().regex(/^(times|skip|activationProbability)$/, 'is not a mode'), z.number().min(0)),
      ])
      .default('alwaysOn')
      .describe(
        'How often it triggers, in the form of the server: always, `{"times": n}`, `{"skip": n}` or `{"activationProbability": p}`. Default: "alwaysOn".',
      ),
    data: value
      .optional()
      .describe('What the point takes, such as `{"failCommands": ["insert"], "errorCode": 91}`. Default: nothing.'),
    target,
  },
  example: {
    failPoint: 'failCommand',
    data: { failCommands: ['insert'], errorCode: 91 },
    atSeconds: 10,
    forSeconds: 5,
  },
  takenBy: startedTargetKinds,
  needs: ['testCommands'],
  selectors: targetSelectors,
  check({ data }, path, report) {
    if (data !== undefined) validateFixed(data as Json, [...path, 'data'], report)
  },
  async begin({ failPoint: name, mode, data, target: selectors }, { find, onUndo }) {
    const point = { configureFailPoint: name, mode, ...(data !== undefined && { data: fixedValue(data as Json) }) }
    await forEachServer(await find(selectors), async ({ command }) => {
      onUndo(async () => void (await command({ configureFailPoint: name, mode: 'off' })))
      await command(point as Document)
    })
  },
})
