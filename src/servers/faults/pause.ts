import { getRunningControl, defineFault, forEachServer, lasting, ours } from './fault.ts'
import { target, wordsOfTarget } from './server-words.ts'

/** The fault that suspends a server with SIGSTOP and resumes it. */
export const pause = defineFault({
  kind: 'pause',
  summary:
    'Stops all that the process does, with its connections open, as a host that hangs (SIGSTOP), and has it go on. Not on Windows.',
  timing: lasting,
  fields: { target },
  example: { target: 'primary', atSeconds: 10, forSeconds: 5, everySeconds: 20, times: 3 },
  takenBy: ours,
  words: wordsOfTarget,
  async begin({ target: words }, { find, onUndo }) {
    await forEachServer(await find(words), async (server) => {
      const control = getRunningControl(server)
      onUndo(control.resume)
      await control.pause()
    })
  },
})
