import { target, targetSelectors } from './choose-servers.ts'
import { getRunningControl, defineFault, forEachServer, lasting, startedTargetKinds } from './fault.ts'

/** The fault that stops a server cleanly with SIGTERM and restarts it. */
export const terminate = defineFault({
  kind: 'terminate',
  summary:
    'Ends the process cleanly, as when the service is stopped (SIGTERM), and starts it again once it is gone. A primary steps down first; a member of a set takes about 15 s to end, unless the server parameter `shutdownTimeoutMillisForSignaledShutdown` is lower.',
  timing: lasting,
  fields: { target },
  example: { target: ['secondaries'], atSeconds: 10, forSeconds: 15 },
  takenBy: startedTargetKinds,
  selectors: targetSelectors,
  async begin({ target: selectors }, { find, onUndo, over }) {
    await forEachServer(await find(selectors), async (server) => {
      const control = getRunningControl(server)
      onUndo(control.restart)
      await control.terminate(over)
    })
  },
})
