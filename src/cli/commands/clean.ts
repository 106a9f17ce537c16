import { Command } from 'commander'
import { type CliContext } from '../cli-context.ts'

/** The command `clean`. */
export function cleanCommand(cli: CliContext): Command {
  return new Command('clean')
    .description('End servers that a killed run has left behind, remove their data, and name indexes that it has left')
    .action(async () => {
      const [{ cleanLeftovers }, { stateFolder, thisMachine }, indexes] = await Promise.all([
        import('../../servers/targets/server/guardian/state.ts'),
        import('../../servers/machine.ts'),
        import('../../verdicts/ab/trial-index-records.ts'),
      ])
      const state = stateFolder(thisMachine(cli.env))
      const leftovers = await cleanLeftovers(state)
      const leftIndexes = indexes.listIndexRecords(state).filter(({ isInUse }) => !isInUse)
      for (const { server, what, removedFolders, leftGroups } of leftovers) {
        const removed = removedFolders.length > 0 ? `, removed ${removedFolders.join(', ')}` : ''
        const left = leftGroups.length > 0 ? `, the control groups ${leftGroups.join(', ')} could not be removed` : ''
        const why = what === 'not recognized' ? unrecognized(server) : ''
        cli.print(`${server.program ?? 'mongod'} ${server.pid}: ${what}${why}${removed}${left}\n`)
      }
      for (const index of leftIndexes) {
        cli.print(`index on ${index.namespace} of ${index.hosts}: drop it with ${indexes.dropInShell(index)}\n`)
        indexes.forgetIndex(state, index)
      }
      if (leftovers.length + leftIndexes.length === 0) cli.print('nothing is left over\n')
      if (
        leftovers.some(
          ({ what, leftGroups }) => what === 'survived' || what === 'not recognized' || leftGroups.length > 0,
        ) ||
        leftIndexes.length > 0
      )
        cli.exitWith(4)
    })
}

const unrecognized = ({ port }: { readonly port: number }): string =>
  `: this system does not say when it began, and it does not answer on port ${port}. If it is the server, end it yourself`
