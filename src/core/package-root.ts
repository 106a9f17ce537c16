import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** This file, or the chunk of the bundle that it went into. */
const here = fileURLToPath(import.meta.url)

/** The folder of the package: the nearest one above the code that has a `package.json`. */
export const packageRoot = rootAbove(path.dirname(here))

/** The folder of the code: `src`, what was compiled from it (`build/src`), or the bundle (`dist`). */
export const codeFolder = path.join(packageRoot, /^(build.)?\w+/.exec(path.relative(packageRoot, here))?.[0] ?? '')

function rootAbove(folder: string): string {
  const above = path.dirname(folder)
  return above === folder || existsSync(path.join(folder, 'package.json')) ? folder : rootAbove(above)
}

/** Loads CommonJS modules when they are needed, and finds the files of packages. */
export const requireFromPackage = createRequire(path.join(packageRoot, 'package.json'))

/** Returns the path of a file or folder that ships in `fixtures/`. */
export const shippedPath = (...names: readonly string[]): string => path.join(packageRoot, 'fixtures', ...names)

/** Whether the code runs from its TypeScript sources. */
export const isFromSource = here.endsWith('.ts')

/** Returns the path of a file of the code, given by its path in `src/` without extension. Only entries of the bundle are there once it is built. */
export const codePath = (name: string): string => path.join(codeFolder, `${name}${path.extname(here)}`)
