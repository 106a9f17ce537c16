import { Problem } from '../../core/errors.ts'
import { loadFunctions } from '../../load/engines/load-functions.ts'
import { checkProse, hashOfResult, readDocument } from '../../report/document/document-file.ts'
import { parseDocument } from '../../report/document/parse-document.ts'
import { type MadeBlock, listEdited, madeBlocks } from '../../report/document/sources.ts'
import { plainLine } from '../../report/formats/text-blocks.ts'
import { preflightDescriptors } from '../../run/preflight/descriptors.ts'
import { preflightDisk } from '../../run/preflight/disk.ts'
import { checkThresholdSamples } from '../../run/preflight/threshold-samples.ts'
import { thisMachine } from '../../servers/machine.ts'
import { systemResources } from '../../servers/targets/server/preflight.ts'
import type { LoadedSpec } from '../../spec/load-spec.ts'
import type { CliContext } from '../cli-context.ts'
import type { CheckFlags } from '../commands/check.ts'
import { toOverrides } from '../options/spec-options.ts'
import { printableFindings, readFindings } from '../results/check-findings.ts'
import { printAs } from '../results/print-as.ts'
import { findSpecs } from '../specs/find-specs.ts'
import { loadSpecs } from '../specs/load-specs.ts'
import { showError } from '../terminal/show-error.ts'
import { describePlan, planJson } from './describe-plan.ts'

/** Validates specs and prints what they would do, then the state of a document. Reports the errors of all of them. */
export async function check(given: readonly string[], flags: CheckFlags, cli: CliContext): Promise<void> {
  const { json = false, format = 'text' } = flags
  if (json || format === 'text')
    return await checkAll(given, flags, cli, (spec) =>
      json ? cli.print(planJson(spec)) : cli.printLines([plainLine(describePlan(spec))]),
    )
  const [said, valid]: [string[], LoadedSpec[]] = [[], []]
  const collected = {
    printLines: { value: () => undefined },
    printStatus: { value: (text: string) => void said.push(text) },
    // Findings are read from the lines that people get.
    errorsAsJson: { value: false },
  }
  await checkAll(given, flags, Object.create(cli, collected) as CliContext, (spec) => void valid.push(spec))
  printAs(format, { text: () => [], ...printableFindings(readFindings(said), valid) }, cli)
}

async function checkAll(
  given: readonly string[],
  flags: CheckFlags,
  cli: CliContext,
  show: (spec: LoadedSpec) => void,
): Promise<void> {
  const { document } = flags
  if (given.length === 0 && document === undefined)
    throw new Problem('usage', 'There is nothing to check', { hint: 'Name a spec, or a document with --document.' })
  const files: string[] = []
  for (const one of given) await reportingErrors(async () => void files.push(...(await findSpecs(one))), cli)
  const functions = flags.functions === undefined ? {} : (await loadFunctions(flags.functions)).named
  const { loadings, notes } = await loadSpecs(files, { ...toOverrides(flags), functions })
  for (const note of notes) cli.printStatus(note)
  for (const loading of loadings) {
    if (loading.kind === 'failed') cli.exitWith(await showError(loading.error, cli))
    if (loading.kind !== 'loaded') continue
    const { spec } = loading
    show(spec)
    await reportingErrors(async () => checkThresholdSamples(spec), cli)
    await reportingErrors(() => preflightDescriptors(spec.rows, systemResources), cli)
    await noteWhatDoesNotFit(spec, cli)
  }
  if (document === undefined) return
  await reportingErrors(() => checkDocument(document, cli), cli)
}

/** Prints what a run would refuse for its size. A spec that is meant for another machine is valid all the same. */
async function noteWhatDoesNotFit({ rows, file }: LoadedSpec, cli: CliContext): Promise<void> {
  try {
    await preflightDisk(rows, thisMachine(cli.env).tempFolder, systemResources)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    cli.printStatus(`warning: ${file} cannot run on this machine: ${error.message}. ${error.hint}\n`)
  }
}

/** Reports an error and goes on, so that the errors of all specs are shown. */
async function reportingErrors(act: () => Promise<void>, cli: CliContext): Promise<void> {
  try {
    await act()
  } catch (error) {
    cli.exitWith(await showError(error, cli))
  }
}

/** Lists the blocks of a document that are older than their results, and sentences that are not true of them, in the format that editors and CI read. */
async function checkDocument(file: string, { printLines, printStatus, exitWith }: CliContext): Promise<void> {
  const text = await readDocument(file)
  if (text === null) throw new Problem('document-invalid', `${file} does not exist`, { hint: 'Check the path.' })
  const document = parseDocument(text, file)
  const blocks = madeBlocks(document)
  if (blocks.length === 0)
    throw new Problem('document-invalid', `${file} has no block that was made from a result`, {
      hint: `\`mongo-perf report <results...> --into ${file}\` adds reports to it.`,
    })
  const paths = [...new Set(blocks.map(({ source }) => source.path))]
  const hashes = new Map<string, string>()
  for (const path of paths) {
    const hash = await hashOfResult(file, path)
    if (hash !== null) hashes.set(path, hash)
  }
  const stale = blocks.filter(({ source: { path, sha256 } }) => hashes.has(path) && hashes.get(path) !== sha256)
  for (const { name, line, source } of stale)
    printStatus(`${file}:${line}: ${name}: older than result ${source.path}\n`)
  if (stale.length > 0) printStatus(`hint: \`mongo-perf report <results...> --into ${file}\` brings it up to date\n`)
  refuseUnreadable(file, blocks, hashes)
  const untrue = [...listEdited(document), ...(await checkProse(document))]
  for (const line of untrue) printStatus(`${line}\n`)
  if (stale.length + untrue.length > 0) exitWith(5)
  else
    printLines([plainLine(`${file}: up to date with ${paths.length === 1 ? 'its result' : `${paths.length} results`}`)])
}

function refuseUnreadable(file: string, blocks: readonly MadeBlock[], hashes: ReadonlyMap<string, string>): void {
  const first = blocks.find(({ source }) => !hashes.has(source.path))
  if (first === undefined) return
  throw new Problem(
    'result-unreadable',
    `${file}:${first.line}: ${first.name}: the result ${first.source.path} cannot be read`,
    { hint: 'Paths of results are relative to the document. Put the file back, or make the section again.' },
  )
}
