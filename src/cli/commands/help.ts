import { Command } from 'commander'
import { type CliContext } from '../cli-context.ts'

/** The command `help`. */
export function helpCommand(cli: CliContext): Command {
  const command = new Command('help')
  return command
    .description('Print a page of the documentation, or the options of a command')
    .argument('[topic]', 'the name of a page, such as "recipes" ("topics" lists them), or of a command')
    .action(async (topic: string | undefined) => {
      const commands = command.parent?.commands ?? []
      const described = topic === undefined ? command.parent : commands.find((each) => each.name() === topic)
      if (described) return described.outputHelp()
      const { readTopic } = await import('../actions/help.ts')
      cli.printLines(await readTopic(topic ?? '', cli.screen.columns))
    })
}
