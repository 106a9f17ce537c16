import { target, targetSelectors } from './choose-servers.ts'
import { getRunningControl, defineFault, forEachServer, lasting, startedTargetKinds } from './fault.ts'

/** The fault that kills a server with SIGKILL and restarts it. */
export const kill = defineFault({
  kind: 'kill',
  summary:
    'Ends the process at once, as a crash does (SIGKILL), and starts it again with the same data on the same port.',
  timing: lasting,
  fields: { target },
  example: { target: 'primary', atSeconds: 10, forSeconds: 15 },
  takenBy: startedTargetKinds,
  selectors: targetSelectors,
  async begin({ target: selectors }, { find, onUndo }) {
    await forEachServer(await find(selectors), async (server) => {
      const control = getRunningControl(server)
      onUndo(control.restart)
      await control.kill()
    })
  },
})
