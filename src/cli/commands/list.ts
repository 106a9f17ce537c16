import { Argument, Command } from 'commander'
import { type World } from '../world.ts'

const lists = [
  'specs',
  'columns',
  'operations',
  'faults',
  'checks',
  'generators',
  'functions',
  'targets',
  'micro',
  'binaries',
] as const

export function listCommand(world: World): Command {
  return new Command('list')
    .description(
      'List what there is: specs (the default), columns, operations, faults, checks, generators, functions, targets, micro, binaries (of servers)',
    )
    .addArgument(new Argument('[what]', 'which list').choices(lists).default('specs'))
    .action(async (what: (typeof lists)[number]) => {
      const { listed } = await import('../lists.ts')
      const rows = await listed[what](world)
      const width = Math.max(...rows.map(([name]) => name.length))
      for (const [name, text] of rows) world.print(`${name.padEnd(width)}  ${text}\n`)
    })
}
