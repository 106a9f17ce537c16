import { target, targetSelectors } from './choose-servers.ts'
import { getRunningControl, defineFault, forEachServer, lasting, startedTargetKinds } from './fault.ts'

/** The fault that suspends a server with SIGSTOP and resumes it. */
export const pause = defineFault({
  kind: 'pause',
  summary:
    'Stops the process with its connections open, like a host that hangs (SIGSTOP), and resumes it. Not on Windows.',
  timing: lasting,
  fields: { target },
  example: { target: 'primary', atSeconds: 10, forSeconds: 5, everySeconds: 20, times: 3 },
  takenBy: startedTargetKinds,
  selectors: targetSelectors,
  async begin({ target: selectors }, { find, onUndo }) {
    await forEachServer(await find(selectors), async (server) => {
      const control = getRunningControl(server)
      onUndo(control.resume)
      await control.pause()
    })
  },
})
