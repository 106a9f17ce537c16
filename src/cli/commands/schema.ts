import { Command } from 'commander'
import { type World } from '../world.ts'

export function schemaCommand(world: World): Command {
  return new Command('schema').description('Print the JSON Schema of specs, for editors').action(async () => {
    const { editorSchema } = await import('../../schema/editor-schema.ts')
    world.print(`${JSON.stringify(editorSchema(), null, 2)}\n`)
  })
}
