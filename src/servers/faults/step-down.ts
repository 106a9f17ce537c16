import { z } from 'zod'
import { parseSelector, target, targetSelectors } from './choose-servers.ts'
import { defineFault, forEachServer, momentary } from './fault.ts'

/** How long the server may wait for a secondary that has caught up. Below the time for which it steps down. */
const maxCatchUpSecs = 10

/** The fault that makes the primary step down with `replSetStepDown`. */
export const stepDown = defineFault({
  kind: 'stepDown',
  summary:
    'Makes the primary step down, so that another member takes over (`replSetStepDown`). The only fault for servers that mongo-perf did not start, and only with `--allow-step-down`.',
  timing: momentary,
  fields: {
    target,
    stepDownSecs: z
      .int()
      .min(1)
      .max(3600)
      .default(10)
      .describe('Seconds for which it will not be primary again, 1 to 3600. Default: 10.'),
    force: z
      .boolean()
      .default(false)
      .describe('Whether it steps down although no secondary has caught up. Default: false.'),
  },
  example: { atSeconds: 10, everySeconds: 30 },
  takenBy: ['existing', 'replicaSet', 'sharded'],
  selectors: targetSelectors,
  check({ target: selectors }, path, report) {
    for (const selector of selectors)
      if (parseSelector(selector).role !== 'primary')
        report([...path, 'target'], 'only a primary can step down: write "primary"')
  },
  async begin({ target: selectors, stepDownSecs, force }, { find }) {
    const secondaryCatchUpPeriodSecs = Math.min(maxCatchUpSecs, stepDownSecs - 1)
    await forEachServer(
      await find(selectors),
      async ({ command }) => void (await command({ replSetStepDown: stepDownSecs, secondaryCatchUpPeriodSecs, force })),
    )
  },
})
