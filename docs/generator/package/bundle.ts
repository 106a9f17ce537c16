import { chmodSync } from 'node:fs'
import { build } from 'rolldown'
import { replaceBundle } from './replace-bundle.ts'

const isOfTypes = (name: string): boolean => /\.d\.c?ts$/.test(name)

/** Bundles the program from its sources into `dist/`. */
export async function bundleCode(): Promise<void> {
  const { codeBundle } = await import('./code-bundle.ts')
  for (const options of codeBundle) await build(options)
  chmodSync('dist-new/cli/main.js', 0o755)
  replaceBundle('dist-new', 'dist', { isReplaced: (name) => !isOfTypes(name) })
}

/** Bundles what the compiler wrote to `build/types/` into the types in `dist/`. */
export async function bundleTypes(): Promise<void> {
  const { typesBundle } = await import('./types-bundle.ts')
  for (const options of typesBundle) await build(options)
  replaceBundle('dist-types', 'dist', { isReplaced: isOfTypes })
}

if (process.argv[1] === import.meta.filename) await (process.argv[2] === 'types' ? bundleTypes() : bundleCode())
