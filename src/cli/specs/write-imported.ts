import { loadSpecText, type Overrides } from '../../spec/load-spec.ts'
import { printSpec } from '../../spec/parse/print-spec.ts'
import { type Imported } from '../../spec/ycsb/import-workload.ts'
import { type CliContext } from '../cli-context.ts'
import { schemaFor, writeNewSpec } from './new-spec-file.ts'

/**
 * Validates the spec of a workload, and writes it to `out`, or prints it.
 * @param overrides What the spec needs to be valid.
 */
export async function writeImported(
  { spec, remarks }: Imported,
  workload: string,
  { out, force = false }: { readonly out?: string; readonly force?: boolean },
  overrides: Overrides,
  cli: CliContext,
): Promise<void> {
  const text = printSpec({ $schema: schemaFor(out ?? '.'), ...spec })
  loadSpecText(text, out ?? `the spec of ${workload}`, overrides)
  if (out === undefined) cli.print(text)
  else await writeNewSpec(out, text, force)
  for (const remark of remarks) cli.printStatus(`note: ${remark}\n`)
  if (out !== undefined) cli.printStatus(`written to ${out}\n`)
}
