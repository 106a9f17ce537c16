import { Problem } from '../../../core/errors.ts'
import { CommandError } from '../../../protocol/wire/wire-error.ts'

/** Sends a router what makes a cluster of sets, one command after the other. */
export async function joinCluster(
  commands: readonly Readonly<Record<string, unknown>>[],
  send: (command: Readonly<Record<string, unknown>>) => Promise<unknown>,
): Promise<void> {
  for (const command of commands) {
    try {
      await send(command)
    } catch (error) {
      if (!(error instanceof CommandError)) throw error
      const [name] = Object.keys(command)
      throw new Problem('no-server', `The router refused "${name}": ${error.message}`, {
        hint: 'A mongos has to be of the release series of its cluster; --show-commands prints how all was started.',
      })
    }
  }
}
