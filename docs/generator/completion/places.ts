import { type Argument, type Command, type Option } from 'commander'
import { listTopics } from '../../../src/cli/actions/help.ts'
import { shippedNames } from '../../../src/cli/specs/find-specs.ts'
import { engineKinds } from '../../../src/load/engines/engine-kinds.ts'
import { measures } from '../../../src/metrics/columns/index.ts'
import { microTasks } from '../../../src/micro/tasks.ts'

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

/** All places of the program in which words or files are known; elsewhere shells complete files. */
export async function listPlaces(program: Command): Promise<readonly Place[]> {
  const known = await nameKnown(program)
  return listBelow(program).flatMap((command): readonly Place[] => {
    const { options, registeredArguments, commands } = command
    const name = fullName(command)
    const ofFiles = registeredArguments.some((one) => takesFiles(one.name(), wordsFor(one, one.name(), known)))
    const words = [
      ...commands.map((one) => ({ text: one.name(), about: one.description() })),
      ...registeredArguments.flatMap((one) => wordsFor(one, one.name(), known)),
      ...options.flatMap(({ long, description }) => (long == null ? [] : { text: long, about: description })),
    ]
    const ofOptions = options.flatMap((option): readonly Place[] => {
      if (!option.required && !option.optional) return []
      const after = wordsFor(option, option.long ?? '', known)
      const files = takesFiles(option.long ?? '', after)
      return [option.short, option.long].flatMap((flag) =>
        flag == null ? [] : { command: name, option: flag, words: after, files },
      )
    })
    return [{ command: name, option: null, words, files: ofFiles }, ...ofOptions]
  })
}

const listBelow = (command: Command): readonly Command[] => [command, ...command.commands.flatMap(listBelow)]

const fullName = (command: Command): string =>
  command.parent === null ? '' : `${fullName(command.parent)} ${command.name()}`.trim()

type Known = Readonly<Record<string, readonly Word[]>>

const wordsFor = ({ argChoices }: Argument | Option, name: string, known: Known): readonly Word[] =>
  argChoices === undefined ? (known[name] ?? []) : argChoices.map(plain)

/** Arguments whose words are names of shipped specs. */
const ofSpecs = new Set(['specs', 'spec', 'other', '--spec'])

const takesFiles = (name: string, words: readonly Word[]): boolean => words.length === 0 || ofSpecs.has(name)

const plain = (text: string): Word => ({ text, about: '' })

/** Words by the argument or the option that takes them. */
async function nameKnown(program: Command): Promise<Known> {
  const specs = (await shippedNames()).map(plain)
  const addresses = measures.filter((name) => !name.includes('.')).map(plain)
  return {
    specs,
    spec: specs,
    other: specs,
    '--spec': specs,
    '--columns': addresses,
    '--measure': addresses,
    '--engine': engineKinds.map(plain),
    names: microTasks.map(({ name: text, title: about }) => ({ text, about })),
    topic: [...program.commands.map((one) => one.name()), ...(await listTopics()).keys()].map(plain),
  }
}
