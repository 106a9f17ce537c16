import { getRunningControl, defineFault, forEachServer, lasting, ours } from './fault.ts'
import { target, wordsOfTarget } from './server-words.ts'

/** The fault that kills a server with SIGKILL and restarts it. */
export const kill = defineFault({
  kind: 'kill',
  summary:
    'Ends the process at once, as a crash does (SIGKILL), and starts it again with the same data on the same port.',
  timing: lasting,
  fields: { target },
  example: { target: 'primary', atSeconds: 10, forSeconds: 15 },
  takenBy: ours,
  words: wordsOfTarget,
  async begin({ target: words }, { find, onUndo }) {
    await forEachServer(await find(words), async (server) => {
      const control = getRunningControl(server)
      onUndo(control.restart)
      await control.kill()
    })
  },
})
