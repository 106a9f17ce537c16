import { existsSync } from 'node:fs'
import { mkdir, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Problem } from '../../core/errors.ts'
import { shippedPath } from '../../core/package-root.ts'
import { type CliContext } from '../cli-context.ts'
import { writeNewSpec } from '../specs/new-spec-file.ts'

/** The file for the pipeline of each service, and what is left to do. */
const pipelines = {
  github: {
    file: '.github/workflows/mongo-perf.yml',
    next: 'commit it: the next pull request is compared with its base',
  },
  gitlab: {
    file: 'mongo-perf.gitlab-ci.yml',
    next: 'add to .gitlab-ci.yml: include: [{ local: mongo-perf.gitlab-ci.yml }]',
  },
} as const

export type Ci = keyof typeof pipelines

const isThere = (file: string): Problem =>
  new Problem('usage', `${file} exists already`, { hint: 'Rename it to keep it, or add --force to overwrite it.' })

/** The spec that the shipped pipelines name. */
const usualSpec = 'mongo-perf.json'

/**
 * Writes a pipeline that compares a change with its base by a spec. Overwrites an existing file only with `force`.
 * @throws {Problem} "usage" for a spec outside of the working folder, or with a name that a shell would not take as it is.
 */
export async function writePipeline(ci: Ci, spec: string, force: boolean, cli: CliContext): Promise<void> {
  if (!/^[\w-][\w./-]*$/.test(spec) || spec.includes('..'))
    throw new Problem('usage', `A pipeline cannot name the spec ${spec}`, {
      hint: 'Run it in the root of the repository, and name a spec there by letters, digits, "-", "_", "." and "/".',
    })
  const { file, next } = pipelines[ci]
  const shipped = await readFile(shippedPath('ci', `${ci}.yml`), 'utf8')
  // What is in its place is reported when the file is written.
  await mkdir(dirname(file), { recursive: true }).catch(() => undefined)
  await writeNewSpec(file, shipped.replaceAll(usualSpec, spec), force, isThere)
  const missing = existsSync(spec) ? '' : `next: npx mongo-perf init ${spec} writes the spec that it measures\n`
  cli.printStatus(`written to ${file}\n${missing}next: ${next}\n`)
}
