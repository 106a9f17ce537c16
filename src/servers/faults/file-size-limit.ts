import { z } from 'zod'
import { target, targetSelectors } from './choose-servers.ts'
import { getRunningControl, defineFault, forEachServer, lasting, startedTargetKinds } from './fault.ts'

/** The fault that limits the size of files that a server can write, in MB. */
export const fileSizeLimit = defineFault({
  kind: 'fileSizeLimit',
  summary:
    'Lets the process write no file beyond a size, much like a full disk: the kernel ends the mongod at its next write. Then the limit is lifted, and a mongod that has died is started again. Linux with `prlimit`; no root is needed.',
  timing: lasting,
  fields: {
    target,
    maxFileMB: z
      .int()
      .min(0)
      .max(1_000_000)
      .default(0)
      .describe(
        'Largest file that may be written, in MB. With 0 the next write to log or journal ends it. Default: 0.',
      ),
  },
  example: { target: 'primary', atSeconds: 10, forSeconds: 15 },
  takenBy: startedTargetKinds,
  selectors: targetSelectors,
  async begin({ target: selectors, maxFileMB }, { find, onUndo }) {
    await forEachServer(await find(selectors), async (server) => {
      const control = getRunningControl(server)
      onUndo(async () => (control.isRunning() ? control.setFileSizeLimit(null) : control.restart()))
      await control.setFileSizeLimit(maxFileMB * 1024 ** 2)
    })
  },
})
