import { Command } from 'commander'
import { overridesOf, type SpecFlags, withSpecOptions } from '../spec-options.ts'
import { showError } from '../show-error.ts'
import { type World } from '../world.ts'

export function checkCommand(world: World): Command {
  const command = new Command('check')
    .description('Check specs and show what they would do, without a server')
    .argument('<specs...>', 'paths of specs, names of shipped ones, or folders of either')
    .option('--json', 'print the rows with everything filled in')
  return withSpecOptions(command).action(
    async (specs: readonly string[], flags: SpecFlags & { readonly json?: boolean }) => {
      const [{ findSpecs }, { loadSpecFile }, { describePlan, planJson }] = await Promise.all([
        import('../find-specs.ts'),
        import('../../load-spec.ts'),
        import('../describe-plan.ts'),
      ])
      const checkFile = async (file: string): Promise<void> => {
        const spec = await loadSpecFile(file, overridesOf(flags))
        world.print(flags.json ? planJson(spec) : describePlan(spec))
      }
      for (const given of specs) {
        await reportingErrors(async () => {
          for (const file of await findSpecs(given)) await reportingErrors(() => checkFile(file), world)
        }, world)
      }
    },
  )
}

/** What is wrong with one spec hides nothing of the next. */
async function reportingErrors(act: () => Promise<void>, world: World): Promise<void> {
  try {
    await act()
  } catch (error) {
    world.exitWith(await showError(error, world))
  }
}
