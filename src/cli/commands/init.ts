import { Command, Option } from 'commander'
import { Problem } from '../../core/errors.ts'
import { type QueryFlags } from '../../sources/init/query/read-query.ts'
import { type Ci } from '../actions/init-ci.ts'
import { type CliContext } from '../cli-context.ts'
import { wholeNumber } from '../options/arguments.ts'
import { collect } from '../options/spec-options.ts'

/** The options of the command, as parsed. */
export type InitFlags = QueryFlags & {
  readonly from?: string
  readonly fromProfile?: string
  readonly fromRecording?: string
  readonly existing?: boolean
  readonly index?: readonly string[]
  readonly writeConcerns?: string
  readonly uri?: readonly string[]
  readonly allowRemote?: boolean
  readonly sample: number
  /** False with --no-values. */
  readonly values: boolean
  readonly print?: boolean
  readonly force?: boolean
  readonly editor?: boolean
  readonly ci?: Ci
}

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
] as const satisfies readonly (keyof InitFlags)[]

/** Options that say what the spec is to be. */
const ofSpecs = [
  'from',
  'fromProfile',
  'fromRecording',
  ...ofCollection,
  'uri',
  'print',
  'force',
] as const satisfies readonly (keyof InitFlags)[]

const editorWithFile = (file: string): Problem =>
  new Problem('usage', `--editor writes no spec, so it takes no file: ${file}`, {
    hint: `Run init ${file} and init --editor one after the other.`,
  })

/** The command `init`. */
export function initCommand(cli: CliContext): Command {
  return new Command('init')
    .description(
      'Write a spec to start from: a small one, or one modelled on your collection; or set up VS Code or a pipeline',
    )
    .argument('[file]', 'where to write it', 'mongo-perf.json')
    .option('--from <db.coll>', 'make up data and queries like in this collection; reads only')
    .addOption(
      new Option(
        '--from-profile <db>',
        'make up calls like those in the profile (system.profile) of this database',
      ).conflicts(['from', 'existing']),
    )
    .addOption(
      new Option(
        '--from-recording <file>',
        'make up calls like those in a recording of `record`, at their rate, on data like that of the server',
      ).conflicts(['from', 'fromProfile', 'existing', 'index', 'writeConcerns']),
    )
    .option(
      '--query <filter>',
      'with --from: measure this query, such as \'{"customer":17}\'; its values are drawn from the collection',
    )
    .option('--sort <order>', 'order of --query, such as \'{"at":-1}\'')
    .option('--limit <n>', 'maximum number of documents of --query', wholeNumber())
    .addOption(
      new Option('--pipeline <stages>', 'with --from: measure this pipeline instead of a query').conflicts([
        'query',
        'sort',
        'limit',
        'update',
      ]),
    )
    .addOption(
      new Option(
        '--update <update>',
        'update a document that --query finds, such as \'{"$set":{"status":"paid"}}\'',
      ).conflicts(['sort', 'limit', 'existing']),
    )
    .option('--keep <fields>', 'fields of the query whose values stay as you wrote them (repeatable)', collect)
    .option('--existing', 'with --from: read the collection itself instead of making up data')
    .addOption(
      new Option(
        '--index <key>',
        'with --from: compare with and without this index, such as \'{"customer":1,"at":-1}\' (repeatable: each alone); with --existing: with reading the whole collection',
      )
        .argParser(collect)
        .conflicts(['fromProfile']),
    )
    .addOption(
      new Option('--write-concerns <list>', 'with --from: compare these write concerns, such as 1,majority').conflicts([
        'existing',
        'fromProfile',
      ]),
    )
    .option('--uri <uri>', 'the server to look at (default: MONGO_PERF_URI)', collect)
    .option('--allow-remote', 'allow a server on another machine')
    .option('--sample <n>', 'documents to look at', wholeNumber(100_000), 1000)
    .option('--no-values', 'copy no real values, such as the values of a status')
    .option('--print', 'print the spec instead of writing it')
    .option('--force', 'overwrite a file that exists')
    .addOption(
      new Option(
        '--editor',
        'instead of a spec, write settings, tasks and snippets of VS Code into .vscode; a file that exists stays as it is',
      ).conflicts([...ofSpecs]),
    )
    .addOption(
      new Option(
        '--ci <service>',
        'instead of a spec, write a pipeline that compares each change with its base by the spec',
      )
        .choices(['github', 'gitlab'])
        .conflicts([...ofSpecs.filter((name) => name !== 'force'), 'editor']),
    )
    .action(async (file: string, flags: InitFlags, command: Command) => {
      if (flags.ci !== undefined) {
        const { writePipeline } = await import('../actions/init-ci.ts')
        return await writePipeline(flags.ci, file, flags.force === true, cli)
      }
      if (flags.editor === true) {
        if (command.args.length > 0) throw editorWithFile(file)
        const { writeEditorFiles } = await import('../actions/init-editor.ts')
        return writeEditorFiles(cli)
      }
      const { writeSpec } = await import('../actions/init.ts')
      await writeSpec(file, flags, cli)
    })
}
