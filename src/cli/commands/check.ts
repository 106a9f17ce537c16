import { Command } from 'commander'
import { overridesOf, type SpecFlags, withSpecOptions } from '../spec-options.ts'
import { type World } from '../world.ts'

export function checkCommand(world: World): Command {
  const command = new Command('check')
    .description('Check specs and show what they would do, without a server')
    .argument('<specs...>', 'paths of specs, names of shipped ones, or folders of either')
    .option('--json', 'print the rows with everything filled in')
  return withSpecOptions(command).action(async (specs: readonly string[], flags: SpecFlags & { readonly json?: boolean }) => {
    const [{ findSpecs }, { loadSpecFile }, { describePlan, planJson }] = await Promise.all([import('../find-specs.ts'), import('../../load-spec.ts'), import('../describe-plan.ts')])
    for (const file of (await Promise.all(specs.map(findSpecs))).flat()) {
      const spec = await loadSpecFile(file, overridesOf(flags))
      world.print(flags.json ? planJson(spec) : describePlan(spec))
    }
  })
}
