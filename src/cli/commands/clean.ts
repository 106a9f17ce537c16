import { Command } from 'commander'
import { type CliContext } from '../cli-context.ts'

/** The command `clean`. */
export function cleanCommand(cli: CliContext): Command {
  return new Command('clean')
    .description(
      'End servers that a killed run has left behind, remove their data, and drop or name what it has left on servers of others',
    )
    .option(
      '--uri <uri>',
      'the server on which to drop what killed runs have left, and to list the databases that runs made',
    )
    .action(async ({ uri }: { readonly uri?: string }) => {
      const [{ cleanLeftovers }, { stateFolder, thisMachine }, changes] = await Promise.all([
        import('../../servers/targets/server/guardian/state.ts'),
        import('../../servers/machine.ts'),
        import('../../servers/targets/server/guardian/changed-servers.ts'),
      ])
      const state = stateFolder(thisMachine(cli.env))
      const leftovers = await cleanLeftovers(state)
      const left = changes.listChanges(state).filter(({ isInUse }) => !isInUse)
      const there = uri === undefined ? undefined : changes.listHosts(uri)
      for (const { server, what, removedFolders, leftGroups } of leftovers) {
        const removed = removedFolders.length > 0 ? `, removed ${removedFolders.join(', ')}` : ''
        const groups = leftGroups.length > 0 ? `, the control groups ${leftGroups.join(', ')} could not be removed` : ''
        const why = what === 'not recognized' ? unrecognized(server) : ''
        cli.print(`${server.program ?? 'mongod'} ${server.pid}: ${what}${why}${removed}${groups}\n`)
      }
      for (const change of left) {
        const isThere = uri !== undefined && change.hosts === there
        if (isThere) await changes.takeBack(state, change, uri)
        const end = isThere
          ? 'dropped'
          : `drop it with mongo-perf clean --uri …, or with ${changes.dropInShell(change)} and rm ${changes.toChangePath(state, change)}`
        cli.print(`${changes.describeChange(change)}: ${end}\n`)
      }
      const kept = uri === undefined ? [] : await changes.listOurDatabases(uri)
      for (const namespace of kept)
        cli.print(
          `database ${namespace} of ${there}: a run made it; when it is no longer needed, drop it with ${changes.dropInShell({ namespace })}\n`,
        )
      if (leftovers.length + left.length + kept.length === 0) cli.print('nothing is left over\n')
      if (
        leftovers.some(
          ({ what, leftGroups }) => what === 'survived' || what === 'not recognized' || leftGroups.length > 0,
        ) ||
        left.some(({ hosts }) => hosts !== there)
      )
        cli.exitWith(4)
    })
}

const unrecognized = ({ port }: { readonly port: number }): string =>
  `: this system does not say when it began, and it does not answer on port ${port}. If it is the server, end it yourself`
