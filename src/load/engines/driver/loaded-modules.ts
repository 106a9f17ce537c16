import { requireFromPackage } from '../../../core/package-root.ts'

/** CommonJS modules by their files. */
export type ModuleCache = Readonly<Record<string, { readonly filename: string; readonly exports: unknown } | undefined>>

let ofRunner: ModuleCache = {}

/** Has the modules of a test runner searched too, which has a loader of its own: `require.cache` of a test. */
export const searchModules = (cache: ModuleCache): void => void (ofRunner = cache)

/** The CommonJS modules that this process has loaded, also those that ES modules have imported. */
export const listLoadedModules = (): readonly { readonly filename: string; readonly exports: unknown }[] =>
  [ofRunner, requireFromPackage.cache as ModuleCache].flatMap((cache) =>
    Object.values(cache).flatMap((one) => one ?? []),
  )
