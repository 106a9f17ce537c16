import { plainLine } from '../../report/formats/text-blocks.ts'
import { stateFolder, thisMachine } from '../../servers/machine.ts'
import * as changes from '../../servers/targets/server/guardian/changed-servers.ts'
import { cleanLeftovers, type Leftover } from '../../servers/targets/server/guardian/state.ts'
import { type CliContext } from '../cli-context.ts'

/** Ends what killed runs have left on this machine, and drops or names what they have left on a server. */
export async function clean(uri: string | undefined, cli: CliContext): Promise<void> {
  const state = stateFolder(thisMachine(cli.env))
  const leftovers = await cleanLeftovers(state)
  const left = changes.listChanges(state).filter(({ isInUse }) => !isInUse)
  const there = uri === undefined ? undefined : changes.listHosts(uri)
  const print = (text: string): void => cli.printLines([plainLine(text)])
  for (const leftover of leftovers) print(leftoverText(leftover))
  for (const change of left) {
    const isThere = uri !== undefined && change.hosts === there
    if (isThere) await changes.takeBack(state, change, uri)
    print(`${changes.describeChange(change)}: ${isThere ? 'dropped' : howToDrop(change, state)}`)
  }
  const kept = uri === undefined ? [] : await changes.listOurDatabases(uri)
  for (const namespace of kept)
    print(
      `database ${namespace} of ${there}: a run made it; when it is no longer needed, drop it with ${changes.dropInShell({ namespace })}`,
    )
  if (leftovers.length + left.length + kept.length === 0) print('nothing is left over')
  if (leftovers.some(isLeft) || left.some(({ hosts }) => hosts !== there)) cli.exitWith(4)
}

const isLeft = ({ what, leftGroups }: Leftover): boolean =>
  what === 'survived' || what === 'not recognized' || leftGroups.length > 0

function leftoverText({ server, what, removedFolders, leftGroups }: Leftover): string {
  const { program = 'mongod', pid, port } = server
  const removed = removedFolders.length > 0 ? `, removed ${removedFolders.join(', ')}` : ''
  const groups = leftGroups.length > 0 ? `, the control groups ${leftGroups.join(', ')} could not be removed` : ''
  const why =
    what === 'not recognized'
      ? `: this system does not say when it began, and it does not answer on port ${port}. If it is the server, end it yourself`
      : ''
  return `${program} ${pid}: ${what}${why}${removed}${groups}`
}

const howToDrop = (change: changes.ChangeRecord, state: string): string =>
  `drop it with mongo-perf clean --uri …, or with ${changes.dropInShell(change)} and rm ${changes.toChangePath(state, change)}`
