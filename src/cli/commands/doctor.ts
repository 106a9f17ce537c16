import { Command } from 'commander'
import { type CliContext, printJson } from '../cli-context.ts'
import { addOptions, type Flags, option } from '../options/option.ts'
import { listFormatOption } from '../options/output-options.ts'

const marks = { good: 'ok  ', bad: 'no  ', neutral: '    ' } as const

const options = [
  option('--mongod <path>', 'the mongod to try first'),
  option('--mongos <path>', 'the mongos to try first'),
  option('--download [version]', 'fetch a mongod if none of this version is here, and print its path only: for CI'),
  listFormatOption,
]

export function doctorCommand(cli: CliContext): Command {
  const command = new Command('doctor').description('Show what works on this machine, and what does not')
  return addOptions(command, options).action(async ({ mongod, mongos, download, format }: Flags<typeof options>) => {
    const { examine, fetchMongod, lookHere } = await import('../actions/doctor.ts')
    const context = lookHere(cli, mongos)
    if (download !== undefined) {
      const version = download === true ? undefined : download
      return cli.print(`${await fetchMongod(version, context)}\n`)
    }
    const findings = await examine({ ...context, mongod }, cli.config)
    if (format === 'json')
      printJson(
        findings.map(({ mark, text, needed = false }) => ({ mark, text: text.trim(), needed })),
        cli,
      )
    else cli.printLines(findings.map(({ mark, text }) => ({ text: `${marks[mark]} ${text}`, style: 'plain' })))
    if (findings.some(({ mark, needed }) => mark === 'bad' && needed)) cli.exitWith(4)
  })
}
