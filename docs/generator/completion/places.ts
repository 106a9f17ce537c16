import { type Argument, type Command, type Option } from 'commander'
import { listTopics } from '../../../src/cli/actions/help.ts'
import { shippedNames } from '../../../src/cli/specs/find-specs.ts'
import { engineKinds } from '../../../src/load/engines/engine-kinds.ts'
import { measures } from '../../../src/metrics/columns/index.ts'
import { microTasks } from '../../../src/micro/tasks.ts'
import { recordedData } from '../../../src/traffic/data/find-data.ts'

/** A word that a shell may complete, and what it means. */
export type Word = { readonly text: string; readonly about: string }

/** A place of a command line, and what may follow there. */
export type Place = {
  /** The command, such as "import ycsb". Empty: none yet. */
  readonly command: string
  /** The option whose argument follows. Null: an argument of the command, or an option. */
  readonly option: string | null
  readonly words: readonly Word[]
  /** Whether files are possible too. */
  readonly files: boolean
}

/** All places of the program in which something is known; elsewhere a shell completes nothing. */
export async function listPlaces(program: Command): Promise<readonly Place[]> {
  const known = await nameKnown(program)
  return listBelow(program).flatMap((command): readonly Place[] => {
    const { options, registeredArguments, commands } = command
    const name = fullName(command)
    const words = [
      ...commands.map((one) => ({ text: one.name(), about: one.description() })),
      ...registeredArguments.flatMap((one) => wordsFor(one, one.name(), known)),
      ...options.flatMap(({ long, description }) => (long == null ? [] : { text: long, about: description })),
    ]
    const ofOptions = options.flatMap((option): readonly Place[] => {
      const [, taken] = /[<[](.+)[>\]]$/.exec(option.flags) ?? []
      const after = wordsFor(option, option.long ?? '', known)
      return [option.short, option.long].flatMap((flag) =>
        flag == null || taken === undefined
          ? []
          : { command: name, option: flag, words: after, files: paths.has(taken) },
      )
    })
    const files = registeredArguments.some((one) => paths.has(one.name()))
    const ofCommand: Place = { command: name, option: null, words, files }
    return [ofCommand].concat(ofOptions)
  })
}

/** Arguments that are paths, some of them besides names. */
const paths = new Set(
  'A B checkout dump file folder module other package path recording results spec specs workload'.split(' '),
)

const listBelow = (command: Command): readonly Command[] => [command, ...command.commands.flatMap(listBelow)]

const fullName = (command: Command): string =>
  command.parent === null ? '' : `${fullName(command.parent)} ${command.name()}`.trim()

type Known = Readonly<Record<string, readonly Word[]>>

const wordsFor = ({ argChoices }: Argument | Option, name: string, known: Known): readonly Word[] =>
  argChoices === undefined ? (known[name] ?? []) : argChoices.map(plain)

const plain = (text: string): Word => ({ text, about: '' })

/** Words by the argument or the option that takes them. */
async function nameKnown(program: Command): Promise<Known> {
  const specs = (await shippedNames()).map(plain)
  const addresses = measures.filter((name) => !name.includes('.')).map(plain)
  return {
    specs,
    spec: specs,
    other: specs,
    '--data': [plain(recordedData)],
    '--spec': specs,
    '--columns': addresses,
    '--measure': addresses,
    '--engine': engineKinds.map(plain),
    names: microTasks.map(({ name: text, title: about }) => ({ text, about })),
    topic: [...program.commands.map((one) => one.name()), ...(await listTopics()).keys()].map(plain),
  }
}
