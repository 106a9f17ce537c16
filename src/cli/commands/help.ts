import { Command } from 'commander'
import { type CliContext } from '../cli-context.ts'

export function helpCommand(cli: CliContext): Command {
  const command = new Command('help')
  return command
    .description('Print the options of a command, or where a page is')
    .argument('[topic]', 'the name of a command, or of a page, such as "recipes" ("topics" lists them)')
    .action(async (topic: string | undefined) => {
      const commands = command.parent?.commands ?? []
      const described = topic === undefined ? command.parent : commands.find((each) => each.name() === topic)
      described?.outputHelp()
      const { listTopics, locateTopic } = await import('../actions/help.ts')
      // A command may have a page of its name.
      if (described && !(await listTopics()).has(topic ?? '')) return
      if (described) cli.print('\n')
      cli.printLines(await locateTopic(topic ?? ''))
    })
}
