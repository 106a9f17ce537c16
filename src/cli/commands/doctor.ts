import { Command } from 'commander'
import { type World } from '../world.ts'

const marks = { good: 'ok  ', bad: 'no  ', neutral: '    ' } as const

export function doctorCommand(world: World): Command {
  return new Command('doctor')
    .description('Tell what works on this machine, and what does not')
    .option('--mongod <path>', 'the mongod to try first')
    .action(async ({ mongod }: { readonly mongod?: string }) => {
      const { examine } = await import('../examine.ts')
      const findings = await examine({ env: world.env, signal: world.stop, mongod })
      for (const { mark, text } of findings) world.print(`${marks[mark]} ${text}\n`)
      if (findings.some(({ mark, needed }) => mark === 'bad' && needed)) world.exitWith(4)
    })
}
