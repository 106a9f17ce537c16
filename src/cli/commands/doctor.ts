import { Command } from 'commander'
import { type CliContext } from '../cli-context.ts'

const marks = { good: 'ok  ', bad: 'no  ', neutral: '    ' } as const

/** The command `doctor`. */
export function doctorCommand(cli: CliContext): Command {
  return new Command('doctor')
    .description('Show what works on this machine, and what does not')
    .option('--mongod <path>', 'the mongod to try first')
    .action(async ({ mongod }: { readonly mongod?: string }) => {
      const { examine } = await import('../actions/doctor.ts')
      const findings = await examine({ env: cli.env, signal: cli.stop, mongod })
      for (const { mark, text } of findings) cli.print(`${marks[mark]} ${text}\n`)
      if (findings.some(({ mark, needed }) => mark === 'bad' && needed)) cli.exitWith(4)
    })
}
