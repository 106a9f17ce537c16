import { Command } from 'commander'
import { type World } from '../world.ts'

export function doctorCommand(world: World): Command {
  return new Command('doctor')
    .description('Tell what works on this machine, and what does not')
    .option('--mongod <path>', 'the mongod to try first')
    .action(async ({ mongod }: { readonly mongod?: string }) => {
      const { examine } = await import('../examine.ts')
      const findings = await examine({ env: world.env, signal: world.stop, mongod })
      for (const { ok, text } of findings) world.print(`${ok ? 'ok  ' : 'no  '} ${text}\n`)
      if (findings.some(({ ok, needed }) => !ok && needed)) world.exitWith(4)
    })
}
