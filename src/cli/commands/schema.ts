import { Command } from 'commander'
import { type CliContext } from '../cli-context.ts'

/** The command `schema`. */
export function schemaCommand(cli: CliContext): Command {
  return new Command('schema').description('Print the JSON Schema of specs, for editors').action(async () => {
    const { editorSchema } = await import('../../spec/schema/editor-schema.ts')
    cli.print(`${JSON.stringify(editorSchema(), null, 2)}\n`)
  })
}
