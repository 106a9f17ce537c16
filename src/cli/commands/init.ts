import { Command } from 'commander'
import { Problem } from '../../core/errors.ts'
import { type CliContext } from '../cli-context.ts'
import { wholeNumber } from '../options/arguments.ts'
import { addOptions, collect, type Flags, option } from '../options/option.ts'

/** Options that need a collection to start from. */
export const ofCollection = [
  'existing',
  'index',
  'writeConcerns',
  'query',
  'sort',
  'limit',
  'pipeline',
  'update',
  'keep',
] as const

/** Options that say what the spec is to be. */
const ofSpecs = ['from', 'fromProfile', 'fromRecording', ...ofCollection, 'uri', 'print', 'force'] as const

const options = [
  option('--from <db.coll>', 'make up data and queries like in this collection; reads only'),
  option('--from-profile <db>', 'make up operations like those in the profile (system.profile) of this database', {
    conflicts: ['from', 'existing'],
  }),
  option(
    '--from-recording <file>',
    'make up operations like those in a recording, at their rate, on data like the data of the server',
    { conflicts: ['from', 'fromProfile', 'existing', 'index', 'writeConcerns'] },
  ),
  option(
    '--query <filter>',
    'with --from: measure this query, such as \'{"customer":17}\'; its values are drawn from the collection',
  ),
  option('--sort <order>', 'order of --query, such as \'{"at":-1}\''),
  option('--limit <n>', 'maximum number of documents of --query', wholeNumber()),
  option('--pipeline <stages>', 'with --from: measure this pipeline instead of a query', {
    conflicts: ['query', 'sort', 'limit', 'update'],
  }),
  option('--update <update>', 'update a document that --query finds, such as \'{"$set":{"status":"paid"}}\'', {
    conflicts: ['sort', 'limit', 'existing'],
  }),
  option('--keep <fields>', 'fields of the query whose values stay as you wrote them (repeatable)', collect),
  option('--existing', 'with --from: read the collection itself instead of making up data'),
  option(
    '--index <key>',
    'with --from: compare with and without this index, such as \'{"customer":1,"at":-1}\' (repeatable: each alone); with --existing: with reading the whole collection',
    { parse: collect, conflicts: ['fromProfile'] },
  ),
  option('--write-concerns <list>', 'with --from: compare these write concerns, such as 1,majority', {
    conflicts: ['existing', 'fromProfile'],
  }),
  option('--uri <uri>', 'the server to look at (default: MONGO_PERF_URI)', collect),
  option('--allow-remote', 'allow a server on another machine'),
  option('--sample <n>', 'documents to look at', { parse: wholeNumber(100_000), default: 1000 }),
  option('--no-values', 'copy no real values, such as the values of a status'),
  option('--print', 'print the spec instead of writing it'),
  option('--force', 'overwrite a file that exists'),
  option(
    '--editor',
    'instead of a spec, write settings, tasks and snippets of VS Code into .vscode; a file that exists stays as it is',
    { conflicts: ofSpecs },
  ),
  option('--ci <service>', 'instead of a spec, write a pipeline that compares each change with its base by the spec', {
    choices: ['github', 'gitlab'],
    conflicts: [...ofSpecs.filter((name) => name !== 'force'), 'editor'],
  }),
]

export type InitFlags = Flags<typeof options>

const editorWithFile = (file: string): Problem =>
  new Problem('usage', `--editor writes no spec, so it takes no file: ${file}`, {
    hint: `Run init ${file} and init --editor one after the other.`,
  })

export function initCommand(cli: CliContext): Command {
  const command = new Command('init')
    .description(
      'Write a spec to start from: a small one, or one modelled on your collection; or set up VS Code or a pipeline',
    )
    .argument('[file]', 'where to write it', 'mongo-perf.json')
  return addOptions(command, options).action(async (file: string, flags: InitFlags, { args }: Command) => {
    if (flags.ci !== undefined) {
      const { writePipeline } = await import('../actions/init-ci.ts')
      return await writePipeline(flags.ci, file, flags.force === true, cli)
    }
    if (flags.editor === true) {
      if (args.length > 0) throw editorWithFile(file)
      const { writeEditorFiles } = await import('../actions/init-editor.ts')
      return writeEditorFiles(cli)
    }
    const { writeSpec } = await import('../actions/init.ts')
    await writeSpec(file, flags, cli)
  })
}
