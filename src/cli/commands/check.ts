import { Command } from 'commander'
import { Problem } from '../../core/errors.ts'
import { type LoadedSpec } from '../../spec/load-spec.ts'
import { type CliContext } from '../cli-context.ts'
import { toOverrides, type SpecFlags, withSpecOptions } from '../options/spec-options.ts'
import { showError } from '../terminal/show-error.ts'

type CheckFlags = SpecFlags & { readonly json?: boolean; readonly document?: string }

/** The command `check`. */
export function checkCommand(cli: CliContext): Command {
  const command = new Command('check')
    .description('Validate specs and show what they would do, without a server; or check a document')
    .argument('[specs...]', 'paths of specs, names of shipped ones, or folders of either')
    .option('--document <file>', 'list the blocks of a document that are older than their results')
    .option('--json', 'print the rows as JSON, with all defaults')
  return withSpecOptions(command).action(async (specs: readonly string[], flags: CheckFlags) => {
    const { document } = flags
    if (specs.length === 0 && document === undefined) throw nothingToCheck()
    const [{ findSpecs }, { loadSpecs }, { describePlan, planJson }, { loadFunctions }, preflight] = await Promise.all([
      import('../specs/find-specs.ts'),
      import('../specs/load-specs.ts'),
      import('../actions/describe-plan.ts'),
      import('../../load/engines/load-functions.ts'),
      import('../../run/preflight/threshold-samples.ts'),
    ])
    const files: string[] = []
    for (const given of specs) await reportingErrors(async () => void files.push(...(await findSpecs(given))), cli)
    const functions = flags.functions === undefined ? undefined : (await loadFunctions(flags.functions)).named
    const { loadings, notes } = await loadSpecs(files, { ...toOverrides(flags), functions })
    for (const note of notes) cli.printStatus(note)
    for (const loading of loadings) {
      if (loading.kind === 'failed') cli.exitWith(await showError(loading.error, cli))
      if (loading.kind !== 'loaded') continue
      const { spec } = loading
      cli.print(flags.json ? planJson(spec) : describePlan(spec))
      await reportingErrors(async () => preflight.checkThresholdSamples(spec), cli)
      await noteWhatDoesNotFit(spec, cli)
    }
    if (document === undefined) return
    const { checkDocument } = await import('../actions/check-document.ts')
    await reportingErrors(() => checkDocument(document, cli), cli)
  })
}

/** Prints what a run would refuse on this machine. A spec that is meant for another one is valid all the same. */
async function noteWhatDoesNotFit({ rows, file }: LoadedSpec, cli: CliContext): Promise<void> {
  const [{ preflightDescriptors }, { preflightDisk }, { systemResources }, { thisMachine }] = await Promise.all([
    import('../../run/preflight/descriptors.ts'),
    import('../../run/preflight/disk.ts'),
    import('../../servers/targets/server/preflight.ts'),
    import('../../servers/targets/server/machine.ts'),
  ])
  const { tempFolder } = thisMachine(cli.env)
  const checks = [
    () => preflightDescriptors(rows, systemResources),
    () => preflightDisk(rows, tempFolder, systemResources),
  ]
  for (const check of checks)
    await check().catch((error: unknown) => {
      if (!(error instanceof Problem)) throw error
      cli.printStatus(`warning: ${file} cannot run on this machine: ${error.message}. ${error.hint}\n`)
    })
}

const nothingToCheck = (): Problem =>
  new Problem('usage', 'There is nothing to check', { hint: 'Name a spec, or a document with --document.' })

/** Reports an error and goes on, so that the errors of all specs are shown. */
async function reportingErrors(act: () => Promise<void>, cli: CliContext): Promise<void> {
  try {
    await act()
  } catch (error) {
    cli.exitWith(await showError(error, cli))
  }
}
