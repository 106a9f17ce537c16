import { readFile } from 'node:fs/promises'
import { type Argument, type Command, type Option } from 'commander'
import { listTopics } from '../../../src/cli/actions/help.ts'
import { shippedNames } from '../../../src/cli/specs/find-specs.ts'
import { shippedPath } from '../../../src/core/package-root.ts'
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

/** Whether a time apart from latency has another percentile in its place: one of each is completed. */
const isRareTime = (name: string): boolean => /^(?:wait|service|response)(?!P99Ms$)/.test(name)

/** Settings of a side of a comparison besides parameters. */
const sides = ['engine:', 'driver:', 'functions:', 'mongod:', 'uri:', 'target.server.cacheGB='].map(plain)

/** The profiles of the specs that ship, and their parameters as `--set` takes them. */
async function readShippedWords(): Promise<Readonly<Record<'profiles' | 'parameters', readonly Word[]>>> {
  const [profiles, parameters] = [new Set<string>(), new Set<string>()]
  for (const name of await shippedNames()) {
    const spec = JSON.parse(await readFile(shippedPath('specs', `${name}.json`), 'utf8')) as Readonly<
      Partial<Record<'profiles' | 'parameters', object>>
    >
    for (const profile of Object.keys(spec.profiles ?? {})) profiles.add(profile)
    for (const parameter of Object.keys(spec.parameters ?? {})) parameters.add(`${parameter}=`)
  }
  return { profiles: [...profiles].toSorted().map(plain), parameters: [...parameters].toSorted().map(plain) }
}

/** Words by the argument or the option that takes them. */
async function nameKnown(program: Command): Promise<Known> {
  const specs = (await shippedNames()).map(plain)
  const words = await readShippedWords()
  const addresses = measures.filter((name) => !name.includes('.') && !isRareTime(name)).map(plain)
  return {
    specs,
    spec: specs,
    other: specs,
    '--data': [plain(recordedData)],
    '--spec': specs,
    '--profile': words.profiles,
    '--set': words.parameters,
    '--a': [...words.parameters, ...sides],
    '--b': [...words.parameters, ...sides],
    '--threshold': addresses,
    '--columns': addresses,
    '--measure': addresses,
    '--engine': engineKinds.map(plain),
    names: microTasks.map(({ name: text, title: about }) => ({ text, about })),
    topic: [...new Set([...program.commands.map((one) => one.name()), ...(await listTopics()).keys()])].map(plain),
  }
}
