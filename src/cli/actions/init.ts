import { existsSync } from 'node:fs'
import { Problem } from '../../core/errors.ts'
import { toDatabaseName } from '../../servers/targets/ownership.ts'
import { type MadeSpec } from '../../sources/init/draft.ts'
import { starter } from '../../sources/init/starter.ts'
import { printSpec } from '../../spec/parse/print-spec.ts'
import { type CliContext } from '../cli-context.ts'
import { type InitFlags, ofCollection } from '../commands/init.ts'
import { findGiven } from '../options/option.ts'
import { schemaFor, existsAlready, requireWritable, writeNewSpec } from '../specs/new-spec-file.ts'

/** Makes the requested spec, and writes or prints it. Overwrites an existing file only with --force. */
export async function writeSpec(file: string, flags: InitFlags, cli: CliContext): Promise<void> {
  const isPrinted = flags.print === true || file === '-'
  if (!isPrinted && !flags.force && existsSync(file)) throw existsAlready(file)
  if (!isPrinted) await requireWritable(file)
  if (flags.from === undefined) refuseWithoutCollection(flags)
  const made = await makeSpec(flags, cli)
  const $schema = schemaFor(isPrinted ? '.' : file)
  const text = printSpec({ $schema, ...made.spec })
  if (isPrinted) cli.print(text)
  else await writeNewSpec(file, text, flags.force === true)
  const notes = $schema.startsWith('file:') ? [...made.notes, schemaElsewhere] : made.notes
  cli.printStatus(describeSpec({ ...made, notes }, isPrinted ? undefined : file, flags))
}

const schemaElsewhere =
  '"$schema" names a file of this machine. To share the spec, run npx mongo-perf schema > spec.schema.json beside it and name that.'

function refuseWithoutCollection(flags: InitFlags): void {
  const option = findGiven(ofCollection, flags)
  if (option === undefined) return
  throw new Problem('usage', `${option} needs a collection`, { hint: 'Add --from database.collection.' })
}

async function makeSpec(flags: InitFlags, cli: CliContext): Promise<MadeSpec> {
  const { from, fromProfile, fromRecording } = flags
  if ((from ?? fromProfile ?? fromRecording) === undefined) return { spec: starter, notes: [], copied: [] }
  const { makeSpecFromServer } = await import('./init-from-server.ts')
  return await makeSpecFromServer(flags, cli)
}

/**
 * Says where a spec is, what it was made from, which commands run it, and what to know about it.
 * @param file Undefined: it was printed.
 */
export function describeSpec(
  made: MadeSpec,
  file: string | undefined,
  flags: Pick<InitFlags, 'uri' | 'allowRemote'>,
): string {
  const { notes, copied, spec } = made
  const description = [spec['description'] ?? []].flat().filter((line) => !notes.includes(String(line)))
  const lines = [
    ...(file === undefined ? [] : [`written to ${file}`, description.join(' '), ...nextSteps(file, made, flags)]),
    ...notes.map((note) => `note: ${note}`),
    ...(copied.length > 0 ? ['Real values in it (--no-values makes up others):'] : []),
    ...copied.map((line) => `  ${line}`),
  ]
  return lines.map((line) => `${line}\n`).join('')
}

/** The commands that run a new spec: on servers that it starts, and on the server that it was made from. */
export function nextSteps(
  file: string,
  { spec, starts }: Pick<MadeSpec, 'spec' | 'starts'>,
  { uri, allowRemote }: Pick<InitFlags, 'uri' | 'allowRemote'>,
): readonly string[] {
  // The URI itself may hold a password.
  const given = uri === undefined ? '' : " --uri 'mongodb://…'"
  const remote = allowRemote === true ? ' --allow-remote' : ''
  const steps = (options: string): readonly string[] => [
    `  npx mongo-perf check ${file}`,
    `  npx mongo-perf run ${file} --profile smoke${options}`,
    `  npx mongo-perf run ${file}${options}`,
  ]
  if (starts !== undefined)
    return [
      `next, on a ${starts} that mongo-perf starts on this machine and removes afterwards:`,
      ...steps(''),
      `or on the server that it was made from, in the new database ${toDatabaseName(String(spec['name']))}:`,
      `  npx mongo-perf run ${file}${given || ' --target existing'}${remote}`,
    ]
  return spec['target'] === undefined
    ? ['next:', ...steps('')]
    : [
        `next, on the server that it was made from${given === '' ? ' (MONGO_PERF_URI)' : ''}:`,
        ...steps(`${given}${remote}`),
      ]
}
