import { type Argument, type Command, type Option } from 'commander'
import { type CliContext, plainScreen } from '../../src/cli/cli-context.ts'
import { createProgram } from '../../src/cli/program.ts'
import { type CommandOptions, shareOptions } from './command-options.ts'
import { renderExitCodes } from './exit-codes.ts'
import { code, linkTo, paragraphs, table } from './markdown.ts'
import { type Page } from './page.ts'

const nothing = (): void => undefined

/** A context for commands that are described and never run. */
const nowhere: CliContext = {
  print: nothing,
  printLines: nothing,
  screen: plainScreen,
  printStatus: nothing,
  rewrite: nothing,
  rewrites: false,
  env: {},
  config: undefined,
  errorsAsJson: false,
  uris: [],
  stop: new AbortController().signal,
  exitWith: nothing,
}

/** The program, as a commander object. */
export const describedProgram = (): Command => createProgram(nowhere)

/** Its commands: in place of one with commands of its own, those. */
export const programCommands = (): readonly Command[] => describedProgram().commands.flatMap(listLeaves)

const listLeaves = (command: Command): readonly Command[] =>
  command.commands.length === 0 ? [command] : command.commands.flatMap(listLeaves)

/** The name of a command as users type it: that of the one above it stands first. */
export function commandName(command: Command): string {
  const { parent } = command
  return parent === null || parent.parent === null ? command.name() : `${commandName(parent)} ${command.name()}`
}

const sharedTitle = 'Options of several commands'

function renderCommands(): string {
  const commands = programCommands()
  const options = shareOptions(commands)
  return paragraphs(
    'Reports, lists and schemas go to standard output; progress and messages go to standard error. `--help` after a command prints a short version of this page.',
    table(
      ['Command', 'What it does'],
      commands.map((command) => [
        linkTo(commandName(command), code(commandName(command))),
        `${command.description()}.`,
      ]),
    ),
    ...commands.map((command) => renderCommand(command, options)),
    `## ${sharedTitle}`,
    optionTable(options.shared),
    '## Exit codes',
    renderExitCodes(),
  )
}

/** The usage of a command: "run [options] <specs...>". */
export const formatUsage = (command: Command): string =>
  [
    commandName(command),
    ...(command.options.length === 0 ? [] : ['[options]']),
    ...command.registeredArguments.map(bracketed),
  ].join(' ')

function renderCommand(command: Command, { listOwn, nameShared }: CommandOptions): string {
  const shared = nameShared(command)
  return paragraphs(
    `## ${commandName(command)}`,
    `\`\`\`sh\nmongo-perf ${formatUsage(command)}\n\`\`\``,
    table(['Argument', 'Default', 'Meaning'], command.registeredArguments.map(argumentRow)),
    optionTable(listOwn(command)),
    shared.length === 0 ? '' : `${linkTo(sharedTitle, 'Shared options')}: ${shared.map(code).join(', ')}.`,
  )
}

const optionTable = (options: readonly Option[]): string =>
  table(['Option', 'Default', 'Meaning'], options.map(optionRow))

const argumentRow = (argument: Argument): readonly string[] => [
  code(bracketed(argument)),
  defaultText(argument),
  withChoices(argument),
]

function bracketed(argument: Argument): string {
  const name = `${argument.name()}${argument.variadic ? '...' : ''}`
  return argument.required ? `<${name}>` : `[${name}]`
}

/** The default of an option that disables something (`--no-values`) is not shown. */
const optionRow = (option: Option): readonly string[] => [
  code(option.flags),
  option.negate ? '' : defaultText(option),
  withChoices(option),
]

const defaultText = ({ defaultValue, defaultValueDescription: shown = defaultValue }: Argument | Option): string =>
  shown === undefined ? '' : code(typeof shown === 'string' ? shown : JSON.stringify(shown))

const withChoices = ({ description, argChoices }: Argument | Option): string =>
  argChoices === undefined ? description : `${description}: ${argChoices.map(code).join(', ')}`

/** `docs/commands.md`. */
export const commandsPage: Page = {
  file: 'commands.md',
  title: 'Commands and exit codes',
  summary: 'Every command with its arguments and options, and exit codes for scripts.',
  render: renderCommands,
}
