import { Command } from 'commander'
import { type CliContext } from '../cli-context.ts'

/** The command `clean`. */
export function cleanCommand(cli: CliContext): Command {
  return new Command('clean')
    .description('End servers that a killed run has left behind, and remove their data')
    .action(async () => {
      const [{ cleanLeftovers }, { stateFolder, thisMachine }] = await Promise.all([
        import('../../servers/targets/server/guardian/state.ts'),
        import('../../servers/machine.ts'),
      ])
      const leftovers = await cleanLeftovers(stateFolder(thisMachine(cli.env)))
      for (const { server, what, removedFolders, leftGroups } of leftovers) {
        const removed = removedFolders.length > 0 ? `, removed ${removedFolders.join(', ')}` : ''
        const left = leftGroups.length > 0 ? `, the control groups ${leftGroups.join(', ')} could not be removed` : ''
        cli.print(`${server.program ?? 'mongod'} ${server.pid}: ${what}${removed}${left}\n`)
      }
      if (leftovers.length === 0) cli.print('nothing is left over\n')
      if (leftovers.some(({ what, leftGroups }) => what === 'survived' || leftGroups.length > 0)) cli.exitWith(4)
    })
}
