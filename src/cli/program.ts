import { Command } from 'commander'
import { exitCodes } from '../core/errors.ts'
import { refuseEndless } from '../core/files.ts'
import { toolVersion } from '../core/versions.ts'
import type { CliContext } from './cli-context.ts'
import { abCommand } from './commands/ab.ts'
import { adviseCommand } from './commands/advise.ts'
import { agentCommand } from './commands/agent.ts'
import { agentsCommand } from './commands/agents.ts'
import { checkCommand } from './commands/check.ts'
import { cleanCommand } from './commands/clean.ts'
import { compareCommand } from './commands/compare.ts'
import { completionCommand } from './commands/completion.ts'
import { doctorCommand } from './commands/doctor.ts'
import { helpCommand } from './commands/help.ts'
import { historyCommand } from './commands/history.ts'
import { importCommand } from './commands/import.ts'
import { initCommand } from './commands/init.ts'
import { inspectCommand } from './commands/inspect.ts'
import { listCommand } from './commands/list.ts'
import { microCommand } from './commands/micro.ts'
import { recordCommand } from './commands/record.ts'
import { replayCommand } from './commands/replay.ts'
import { reportCommand } from './commands/report.ts'
import { runCommand } from './commands/run.ts'
import { schemaCommand } from './commands/schema.ts'
import { sizeCommand } from './commands/size.ts'
import { examples } from './options/examples.ts'

const exitCodeHelp = `
Exit codes:
${Object.entries(exitCodes)
  .map(([code, meaning]) => `  ${code.padEnd(4)} ${meaning}`)
  .join('\n')}`

/** Creates the command line. Each command imports what it needs when it runs, so that help is fast. */
export function createProgram(cli: CliContext): Command {
  const program = new Command('mongo-perf')
    .description('Measure what a setting, document, index, topology or driver change costs on your MongoDB.')
    .version(toolVersion(), '-V, --version')
    .helpCommand(false)
    .addHelpText('after', exitCodeHelp)
  const commands = [
    runCommand,
    checkCommand,
    reportCommand,
    compareCommand,
    abCommand,
    sizeCommand,
    historyCommand,
    microCommand,
    initCommand,
    importCommand,
    recordCommand,
    inspectCommand,
    adviseCommand,
    replayCommand,
    listCommand,
    schemaCommand,
    agentCommand,
    agentsCommand,
    doctorCommand,
    cleanCommand,
    completionCommand,
    helpCommand,
  ]
  for (const command of commands.map((create) => create(cli))) {
    const lines = (examples[command.name()] ?? []).map((line) => `\n  mongo-perf ${command.name()} ${line}`.trimEnd())
    // Also below the commands of `import`.
    program.addCommand(command.addHelpText('afterAll', `\nExamples:${lines.join('')}`))
  }
  program.hook('preAction', (_, command) => command.args.forEach(refuseEndless))
  return throwErrors(program, cli)
}

/**
 * Has a command throw its errors, which `showError` shows like all others: commander may quote a URI in them. Not in the file of the
 * program: what imports that statically makes the bundler add a chunk to what help loads.
 */
function throwErrors(command: Command, cli: CliContext): Command {
  const writeOut = (text: string): void => cli.printLines([{ text: text.trimEnd(), style: 'plain' }])
  command.exitOverride().configureOutput({ writeOut, writeErr: cli.printStatus, outputError: () => {} })
  for (const sub of command.commands) throwErrors(sub, cli)
  return command
}
