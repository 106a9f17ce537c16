import { existsSync } from 'node:fs'
import { Problem } from '../../core/errors.ts'
import { toDatabaseName } from '../../servers/targets/ownership.ts'
import { type MadeSpec } from '../../sources/init/collection/spec-of-collection.ts'
import { starter } from '../../sources/init/starter.ts'
import { printSpec } from '../../spec/parse/print-spec.ts'
import { type CliContext } from '../cli-context.ts'
import { type InitFlags, ofCollection } from '../commands/init.ts'
import { readUris } from '../options/servers.ts'
import { schemaFor, existsAlready, requireWritable, writeNewSpec } from '../specs/new-spec-file.ts'

/** The environment variable with the URI of the server. */
const variable = 'MONGO_PERF_URI'

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
  cli.printStatus(summary({ ...made, notes }, isPrinted ? undefined : file, flags))
}

const schemaElsewhere =
  '"$schema" names a file of this machine. To share the spec, run npx mongo-perf schema > spec.schema.json beside it and name that.'

/** Refuses options that need a collection. */
function refuseWithoutCollection(flags: InitFlags): void {
  const option = ofCollection.find((name) => flags[name] !== undefined)
  if (option === undefined) return
  const written = option.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  throw new Problem('usage', `--${written} needs a collection`, { hint: 'Add --from database.collection.' })
}

async function makeSpec(flags: InitFlags, cli: CliContext): Promise<MadeSpec> {
  const { from, fromProfile, fromRecording } = flags
  if (from === undefined && fromProfile === undefined && fromRecording === undefined)
    return { spec: starter, notes: [], copied: [] }
  const uris = readUris(flags.uri ?? [], cli.env)
  if (uris.get(variable) === undefined)
    throw new Problem('usage', 'No server is given', { hint: 'Set MONGO_PERF_URI, or add --uri.' })
  const [{ createContextFromFlags: startContextOf }, { refuseUnread }, init, { readComparison }, { readOwnQuery }] =
    await Promise.all([
      import('../start-context.ts'),
      import('../../run/preflight/unread-uris.ts'),
      import('../../sources/init/make-spec.ts'),
      import('../../sources/init/comparison/spec-of-comparison.ts'),
      import('../../sources/init/query/read-query.ts'),
    ])
  refuseUnread(uris.named, new Set([variable]))
  const comparison = readComparison(flags.index, flags.writeConcerns)
  const query = readOwnQuery(flags)
  await using start = startContextOf(flags, uris, cli)
  const options = { sample: flags.sample, keepValues: flags.values }
  if (fromRecording !== undefined) return await init.specFromRecording(fromRecording, options, start)
  return fromProfile === undefined
    ? await init.specFromCollection(
        from ?? '',
        { ...options, existing: flags.existing === true, ...(comparison && { comparison }), ...(query && { query }) },
        start,
      )
    : await init.specFromProfile(fromProfile, options, start)
}

function summary(made: MadeSpec, file: string | undefined, flags: InitFlags): string {
  const { notes, copied } = made
  const lines = [
    ...(file === undefined ? [] : [`written to ${file}`]),
    ...notes.map((note) => `note: ${note}`),
    ...(copied.length > 0 ? ['Real values in it (--no-values makes up others):'] : []),
    ...copied.map((line) => `  ${line}`),
    ...(file === undefined ? [] : nextSteps(file, made, flags)),
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
      `or on the server that it was made from, in a database of its own, ${toDatabaseName(String(spec['name']))}:`,
      `  npx mongo-perf run ${file}${given || ' --target existing'}${remote}`,
    ]
  return spec['target'] === undefined
    ? ['next:', ...steps('')]
    : [
        `next, on the server that it was made from${given === '' ? ' (MONGO_PERF_URI)' : ''}:`,
        ...steps(`${given}${remote}`),
      ]
}
