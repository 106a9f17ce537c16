import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** Path of a file of mongo-perf. */
export const ofProgram = (file: string): string => fileURLToPath(new URL(`../../${file}`, import.meta.url))

const tsconfig = {
  extends: ofProgram('tsconfig.json'),
  compilerOptions: {
    typeRoots: [ofProgram('node_modules/@types')],
    allowImportingTsExtensions: true,
    rewriteRelativeImportExtensions: false,
  },
  include: ['*.ts'],
}

/** A project of a user in a folder of its own, which is removed in the end. */
export async function aProject(files: Readonly<Record<string, string>>): Promise<AsyncDisposable & { folder: string }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'mongo-perf-test-'))
  const settings = { 'package.json': JSON.stringify({ type: 'module' }), 'tsconfig.json': JSON.stringify(tsconfig) }
  for (const [name, text] of Object.entries({ ...files, ...settings })) await writeFile(path.join(folder, name), text)
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) }
}
