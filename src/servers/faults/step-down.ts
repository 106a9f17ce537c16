import { parseSelector, target, targetSelectors } from './choose-servers.ts'
import { defineFault, forEachServer, momentary } from './fault.ts'

/** The server waits for a secondary that has caught up, and is not primary again before the end. Its own default is a minute. */
const durations = { replSetStepDown: 10, secondaryCatchUpPeriodSecs: 9 }

/** The fault that makes the primary step down with `replSetStepDown`. */
export const stepDown = defineFault({
  kind: 'stepDown',
  summary:
    'Makes the primary step down, so that another member takes over (`replSetStepDown`, for 10 s). The only fault for servers that mongo-perf did not start, and only with `--allow-step-down`.',
  timing: momentary,
  fields: { target },
  example: { atSeconds: 10, everySeconds: 30 },
  takenBy: ['existing', 'replicaSet', 'sharded'],
  selectors: targetSelectors,
  check({ target: selectors }, path, report) {
    for (const selector of selectors)
      if (parseSelector(selector).role !== 'primary')
        report([...path, 'target'], 'only a primary can step down: write "primary"')
  },
  async begin({ target: selectors }, { find }) {
    await forEachServer(await find(selectors), async ({ command }) => void (await command(durations)))
  },
})
