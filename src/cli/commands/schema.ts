import { readFileSync } from 'node:fs'
import { Command } from 'commander'
import { shippedPath } from '../../core/package-root.ts'
import { type CliContext } from '../cli-context.ts'

export function schemaCommand(cli: CliContext): Command {
  return new Command('schema')
    .description('Print the JSON Schema of specs, for editors')
    .action(() => cli.print(readFileSync(shippedPath('spec.schema.json'), 'utf8')))
}
