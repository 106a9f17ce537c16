import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Problem } from '../../core/errors.ts'
import { type JsonObject } from '../../core/json.ts'
import { isGuarded } from '../../language/values/keys.ts'
import { escapeCell } from '../../report/markdown/escape.ts'
import { tableOfCells } from '../../report/markdown/table.ts'
import { findCheckout, importTests, type ImportedTest } from '../../sources/mongo-perf/import-tests.ts'
import { recordInProcess } from '../../sources/mongo-perf/record-in-process.ts'
import { loadSpecText } from '../../spec/load-spec.ts'
import { printSpec } from '../../spec/parse/print-spec.ts'
import { type CliContext } from '../cli-context.ts'
import { type ImportMongoPerfFlags } from '../commands/import.ts'
import { runCommand } from '../commands/run.ts'
import { schemaFor } from '../specs/new-spec-file.ts'
import { throwErrors } from '../throw-errors.ts'

/** Imports test cases of the official mongo-perf, prints what became of each, and measures them with --run. */
export async function importMongoPerf(
  given: string,
  runOptions: readonly string[],
  flags: ImportMongoPerfFlags,
  cli: CliContext,
): Promise<void> {
  const { out, memory, workers, timeout, tests = [] } = flags
  const checkout = await findCheckout(given)
  if (!flags.allowCode) throw codeNotAllowed(given)
  if (runOptions.length > 0 && !flags.run)
    throw new Problem('usage', 'Options of `mongo-perf run` are given, and nothing is run', { hint: 'Add --run.' })
  if (!flags.force) await refuseFolderInUse(out)
  cli.printStatus(
    `runs the JavaScript of ${checkout.files.length + checkout.before.length} files of ${given} on this machine, without a server\n`,
  )
  const imported = await importTests(checkout, {
    out,
    tests,
    threads: workers,
    seconds: timeout,
    memoryMB: memory,
    record: recordInProcess,
    printSpec: validated,
    onFile: (source) => cli.printStatus(`reads ${source}\n`),
  })
  cli.print(importTable(imported))
  const specs = imported.filter((test) => test.kind === 'imported')
  if (specs.length === 0) return cli.exitWith(2)
  cli.printStatus(`written to ${out}: ${specs.length === 1 ? '1 spec' : `${specs.length} specs`}\n`)
  if (!flags.run) {
    const allow = [...new Set(specs.flatMap((spec) => spec.allow))]
    return cli.printStatus(`next: ${['npx mongo-perf run', out, ...allow.map(allowOption)].join(' ')}\n`)
  }
  await runImported(specs, { out, runOptions }, cli)
}

const codeNotAllowed = (given: string): Problem =>
  new Problem('refused', `The test cases of ${given} are JavaScript, and to import them is to run it on this machine`, {
    hint: 'A process without a server, bounded in time and memory, protects from mistakes and not from malice. Read the files, then add --allow-code.',
  })

async function refuseFolderInUse(out: string): Promise<void> {
  const found = await readdir(out).catch(() => [])
  if (found.length === 0) return
  throw new Problem('usage', `${out} is not empty`, { hint: 'Name another folder with --out, or add --force.' })
}

/** The text of a spec that has no issues. */
function validated(spec: JsonObject, file: string, allow: readonly string[]): string {
  const text = printSpec({ $schema: schemaFor(file), ...spec })
  loadSpecText(text, file, { allow: allow.filter(isGuarded) })
  return text
}

/** In quotes, because a shell expands what begins with a dollar sign. */
const allowOption = (key: string): string => `--allow '${key}'`

type Imported = Extract<ImportedTest, { readonly kind: 'imported' }>

type RunRequest = { readonly out: string; readonly runOptions: readonly string[] }

/** Runs specs, but not those with operators that the given options do not allow: one of them would end the run of all. */
async function runImported(
  specs: readonly Imported[],
  { out, runOptions }: RunRequest,
  cli: CliContext,
): Promise<void> {
  const isAllowed = ({ allow }: Imported): boolean => allow.every((key) => runOptions.includes(key))
  for (const { name, allow } of specs.filter((test) => !isAllowed(test)))
    cli.printStatus(`${name} is not run: it needs ${allow.map(allowOption).join(' and ')} after "--"\n`)
  const files = specs.filter(isAllowed).map(({ spec }) => join(out, spec))
  if (files.length > 0) await throwErrors(runCommand(cli), cli).parseAsync([...files, ...runOptions], { from: 'user' })
}

/** How many tests of each file came through, and why the others did not. */
export function importTable(imported: readonly ImportedTest[]): string {
  const sources = [...new Set(imported.map(({ source }) => source))]
  const came = (source: string | undefined): readonly ImportedTest[] =>
    imported.filter((test) => test.kind === 'imported' && (source === undefined || test.source === source))
  const all = (source: string): number => imported.filter((test) => test.source === source).length
  const counts = [
    ['File', 'Tests', 'Imported', 'Refused'],
    ...sources.map((source) => createSummaryRow(source, all(source), came(source).length)),
    ...(sources.length > 1 ? [createSummaryRow('all', imported.length, came(undefined).length)] : []),
  ]
  const refused = imported.flatMap((test) =>
    test.kind === 'refused' ? [[test.name, test.source, test.reason].map(escapeCell)] : [],
  )
  const reasons = refused.length > 0 ? ['', tableOfCells([['Refused test', 'File', 'Why'], ...refused], 'left')] : []
  return [tableOfCells(counts), ...reasons].map((part) => `${part}\n`).join('')
}

const createSummaryRow = (name: string, tests: number, imported: number): readonly string[] => [
  escapeCell(name),
  String(tests),
  String(imported),
  String(tests - imported),
]
