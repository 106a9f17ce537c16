import { type Command, type Option } from 'commander'

/** Commands that have an option alike before it is described once for all of them. */
const minSharing = 2

/** The options of commands, with those that several commands have alike in one list. */
export type CommandOptions = {
  readonly shared: readonly Option[]
  /** The options that only this command describes. */
  readonly listOwn: (command: Command) => readonly Option[]
  /** The long names of the shared options that this command has. */
  readonly nameShared: (command: Command) => readonly string[]
}

const identify = ({ flags, description, argChoices, defaultValue }: Option): string =>
  JSON.stringify([flags, description, argChoices, defaultValue])

/** Separates the options that several of these commands have alike from the options of one. */
export function shareOptions(commands: readonly Command[]): CommandOptions {
  const all = commands.flatMap(({ options }) => options)
  const countUses = (option: Option): number => all.filter((each) => identify(each) === identify(option)).length
  const byUse = all.filter((option) => countUses(option) >= minSharing).toSorted((a, b) => countUses(b) - countUses(a))
  const shared = new Map<string, Option>()
  for (const option of byUse) if (!shared.has(option.name())) shared.set(option.name(), option)
  const isShared = (option: Option): boolean => {
    const known = shared.get(option.name())
    return known !== undefined && identify(known) === identify(option)
  }
  return {
    shared: [...shared.values()],
    listOwn: ({ options }) => options.filter((option) => !isShared(option)),
    nameShared: ({ options }) => options.filter(isShared).map(({ flags, long }) => long ?? flags),
  }
}
