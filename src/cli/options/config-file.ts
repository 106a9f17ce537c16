import { existsSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { type Command, type Option } from 'commander'
import { type ConfigValues } from './config-schema.ts'

/** The defaults of a project for the options of commands. */
export type Config = { readonly file: string; readonly values: ConfigValues }

/** The name of the file with the defaults of a project. */
export const configName = 'mongo-perf.config.json'

/**
 * Finds the file with defaults in a folder, or above it up to the root of its package; outside of a package in the folder alone, because
 * others may write to those above it.
 */
export function findConfig(folder: string): string | undefined {
  const folders = listFoldersUp(resolve(folder))
  const root = folders.findIndex((one) => existsSync(join(one, 'package.json')))
  return folders
    .slice(0, Math.max(root, 0) + 1)
    .map((one) => join(one, configName))
    .find((file) => existsSync(file))
}

const listFoldersUp = (folder: string): readonly string[] =>
  dirname(folder) === folder ? [folder] : [folder, ...listFoldersUp(dirname(folder))]

/**
 * Reads the defaults that apply in a folder. Undefined: there are none.
 * @throws {Problem} "spec-invalid" or "refused" for a file that is wrong.
 */
export async function readConfig(folder: string): Promise<Config | undefined> {
  const found = findConfig(folder)
  if (found === undefined) return undefined
  const file = relative(folder, found)
  // Imported only now: most folders have none.
  const { parseConfig, readSpecFile } = await import('./config-schema.ts')
  const { out, ...values } = parseConfig(await readSpecFile(found), file)
  return { file, values: { ...values, ...(out !== undefined && { out: join(dirname(file), out) }) } }
}

/** The folder of results, unless an option or the defaults of the project name another. */
export const resultsFolder = 'mongo-perf-results'

/** Gives a command the defaults of the project for the options that it has. What the command line says stays. */
export function applyConfig(command: Command, { values }: Config): void {
  for (const option of command.options) {
    const name = option.attributeName()
    const value = findDefault(option, values)
    if (value !== undefined && (command.getOptionValueSource(name) ?? 'default') === 'default')
      command.setOptionValueWithSource(name, value, 'default')
    // A spec that names its engines keeps them, unlike with the option.
    if (name === 'engine') command.setOptionValueWithSource('usualEngine', values.engine, 'default')
  }
}

function findDefault(option: Option, { format, out }: ConfigValues): string | undefined {
  if (option.defaultValue === resultsFolder) return out
  const isFormat = option.attributeName() === 'format' && option.argChoices?.some((choice) => choice === format)
  return isFormat ? format : undefined
}
