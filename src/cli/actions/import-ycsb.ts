import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Problem } from '../../core/errors.ts'
import { isObject, type JsonObject } from '../../core/json.ts'
import { loadSpecText, readSpecFile } from '../../spec/load-spec.ts'
import { printSpec } from '../../spec/parse/print-spec.ts'
import { importWorkload, type WorkloadFile } from '../../spec/ycsb/import-workload.ts'
import { type Property } from '../../spec/ycsb/parse-properties.ts'
import { type CliContext } from '../cli-context.ts'
import { type ImportYcsbFlags } from '../commands/import.ts'
import { shippedFolder } from '../specs/find-specs.ts'
import { schemaFor, writeNewSpec } from '../specs/new-spec-file.ts'

/** Makes the spec of a workload, validates it, and prints or writes it; remarks are for the user. */
export async function importYcsb(workload: string, flags: ImportYcsbFlags, cli: CliContext): Promise<void> {
  const { property = [], properties = [], ignore: ignored, throttled, existing, out, force = false } = flags
  const [file, ...others] = await Promise.all([workloadFile(workload), ...properties.map(readFile)])
  const { spec, remarks } = await importWorkload(file, {
    others,
    properties: property.map(parseProperty),
    ignored,
    throttled,
    existing,
  })
  const text = printSpec({ $schema: schemaFor(out ?? '.'), ...spec })
  loadSpecText(text, out ?? `the spec of ${workload}`, { allowWrites: existingIn(spec) })
  if (out === undefined) cli.print(text)
  else await writeNewSpec(out, text, force)
  for (const remark of remarks) cli.printStatus(`note: ${remark}\n`)
  if (out !== undefined) cli.printStatus(`written to ${out}\n`)
}

/** Whether it may be written to is decided when the spec runs. */
const existingIn = ({ data }: JsonObject): readonly string[] =>
  isObject(data) && typeof data['existing'] === 'string' ? [data['existing']] : []

const readFile = async (file: string): Promise<WorkloadFile> => ({
  file,
  text: await readSpecFile(file, 'Name a property file of YCSB, or one that ships: workloada to workloadf.'),
})

/** A file, or one of the workloads that ship. */
async function workloadFile(given: string): Promise<WorkloadFile> {
  const shipped = join(shippedFolder, 'ycsb', `${given}.properties`)
  if (!/^workload[a-f]$/.test(given) || existsSync(given)) return readFile(given)
  return { file: given, text: await readSpecFile(shipped) }
}

function parseProperty(text: string): Property {
  const at = text.indexOf('=')
  if (at > 0) return { name: text.slice(0, at), value: text.slice(at + 1).trim(), place: '-p' }
  throw new Problem('usage', 'An option -p does not name a property and a value', {
    hint: 'Write -p recordcount=1000.',
  })
}
