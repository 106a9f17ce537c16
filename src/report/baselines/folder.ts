import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Problem } from '../../core/errors.ts'
import { replaceFile } from '../../core/files.ts'
import { prepareOutput, unwritable, writeOutput } from '../../results/files/results-file.ts'
import { runProgram } from '../../servers/child-process.ts'
import { type Baseline, baselineText, parseBaseline } from './baseline.ts'

/** A name in a folder of baselines: one for each branch, release or class of machines. */
export type NamedBaseline = { readonly folder: string; readonly name: string }

const history = '.history.jsonl'

/** The file of the history that stands beside a baseline. */
export const historyFile = ({ folder, name }: NamedBaseline, spec: string): string =>
  join(folder, name, `${spec}${history}`)

const baselineFile = ({ folder, name }: NamedBaseline, spec: string): string => join(folder, name, `${spec}.json`)

/**
 * Refuses a name that could be a path.
 * @throws {Problem} "usage".
 */
export function refuseBadName({ name }: NamedBaseline): void {
  if (/^[\w-][\w.-]*$/.test(name)) return
  throw new Problem('usage', `"${name}" cannot be the name of a baseline`, {
    hint: 'It may have letters, digits, dots, hyphens and underscores, with no dot first: "main", "release-1.2". --baselines names the folder.',
  })
}

/**
 * Reads the baseline of a spec.
 * @throws {Problem} "usage" with the known ones, if there is none of that name and spec.
 */
export async function readBaseline(baseline: NamedBaseline, spec: string): Promise<Baseline> {
  refuseBadName(baseline)
  const path = baselineFile(baseline, spec)
  if (!existsSync(path)) throw await unknownBaseline(baseline, spec)
  return parseBaseline(path, await readFile(path, 'utf8'))
}

async function unknownBaseline({ folder, name }: NamedBaseline, spec: string): Promise<Problem> {
  const known = await filesIn(folder, '.json')
  const names = [...new Set(known.map((one) => one.name))]
  const list = names.map((one) => `"${one}" of ${listSpecsNamed(known, one).join(', ')}`)
  const save = `With --repeat 10 --save-baseline ${name}, \`run\` or \`replay\` saves it.`
  return new Problem('usage', `There is no baseline "${name}" of the spec "${spec}" in ${folder}`, {
    hint: list.length === 0 ? `There is none yet. ${save}` : `There are ${list.join('; ')}. ${save}`,
  })
}

const listSpecsNamed = (known: readonly Found[], name: string): readonly string[] =>
  known.flatMap((one) => (one.name === name ? one.spec : []))

/** A file of a spec below a name. */
export type Found = { readonly name: string; readonly spec: string }

/** All histories of a folder, in the order of their names. */
export const historiesIn = (folder: string): Promise<readonly Found[]> => filesIn(folder, history)

async function filesIn(folder: string, ending: string): Promise<readonly Found[]> {
  const found: Found[] = []
  for (const name of await namesIn(folder))
    for (const file of await namesIn(join(folder, name)))
      if (file.endsWith(ending)) found.push({ name, spec: file.slice(0, -ending.length) })
  return found
}

/** Nothing where there is no such folder. */
const namesIn = async (folder: string): Promise<readonly string[]> => (await readdir(folder).catch(() => [])).toSorted()

/** Saves a baseline in place of the one before it, and returns its path. */
export async function saveBaseline(named: NamedBaseline, baseline: Baseline): Promise<string> {
  const path = baselineFile(named, baseline.result.spec.name)
  // Not below `try`: what fails in it is no fault of the file.
  const text = baselineText(baseline)
  await prepareBaselines(named)
  try {
    await replaceFile(path, text)
  } catch (error) {
    throw unwritable(path, error)
  }
  return path
}

/** Makes the folder of a name. Lines that two branches have added to a history are kept by Git, both. */
export async function prepareBaselines({ folder, name }: NamedBaseline): Promise<void> {
  await prepareOutput(join(folder, name))
  const attributes = join(folder, '.gitattributes')
  if (!existsSync(attributes)) await writeOutput(attributes, `*${history} merge=union\n`)
}

const enoughMs = 5000

/** The commit of the working directory: "abc1234", or "abc1234-dirty" with changes. Null where there is no Git, or no repository. */
export async function currentCommit(env: Readonly<Record<string, string | undefined>>): Promise<string | null> {
  const args = ['describe', '--always', '--dirty', '--abbrev=7', '--exclude=*']
  const end = await runProgram('git', args, { env, timeoutMs: enoughMs, signal: new AbortController().signal })
  return end.ok && end.stdout.trim() !== '' ? end.stdout.trim() : null
}
