import { Command } from 'commander'
import { type World } from '../world.ts'

export function cleanCommand(world: World): Command {
  return new Command('clean')
    .description('End servers that a killed run has left, and remove their data')
    .action(async () => {
      const [{ cleanLeftovers }, { stateFolder, thisMachine }] = await Promise.all([
        import('../../targets/server/state.ts'),
        import('../../targets/server/machine.ts'),
      ])
      const leftovers = await cleanLeftovers(stateFolder(thisMachine(world.env)))
      for (const { server, what, removedFolders } of leftovers)
        world.print(
          `mongod ${server.pid}: ${what}${removedFolders.length > 0 ? `, removed ${removedFolders.join(', ')}` : ''}\n`,
        )
      if (leftovers.length === 0) world.print('nothing is left over\n')
      if (leftovers.some(({ what }) => what === 'survived')) world.exitWith(4)
    })
}
