import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { defineConfig, type Plugin } from 'rolldown'
import { dts } from 'rolldown-plugin-dts'
import { publicEntries, startedEntries } from './src/entries.ts'

const { dependencies, peerDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as Readonly<
  Record<'dependencies' | 'peerDependencies', Readonly<Record<string, string>>>
>

/** The packages that users install: none of them is bundled. */
const external = Object.keys({ ...dependencies, ...peerDependencies }).map((name) => new RegExp(`^${name}(/|$)`))

const entries = [...publicEntries, ...startedEntries]
const source = path.resolve('src') + path.sep
const fileOf = (entry: string): string => path.resolve('src', `${entry}.ts`)
const entryFiles: ReadonlySet<string> = new Set(entries.map(fileOf))

/** The package that a bundled module comes from. */
const packageOf = (id: string): string | undefined => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id)?.[1]

const isPackage = (id: string): boolean => external.some((name) => name.test(id)) || packageOf(id) !== undefined

/** The modules that load a package, themselves or by what they import. */
const loadPackages = new Set<string>()

/** Finds them, from the modules that import a package to whoever imports those. */
const findLoads: Plugin = {
  name: 'find-loads',
  buildEnd() {
    const ids = [...this.getModuleIds()].filter((id) => this.getModuleInfo(id)?.importedIds.some(isPackage))
    for (const id of ids) {
      if (loadPackages.has(id)) continue
      loadPackages.add(id)
      ids.push(...(this.getModuleInfo(id)?.importers ?? []))
    }
  },
}

/**
 * A chunk for each bundled package, and one for the modules of a folder that load no package: they cost so little that it does not matter
 * who needs only some of them. Without it there would be a chunk for each combination of entries.
 */
function chunkOf(id: string): string | null {
  const bundled = packageOf(id)
  if (bundled !== undefined) return bundled.replace('/', '-')
  if (entryFiles.has(id) || loadPackages.has(id)) return null
  const [folder = '', ...names] = id.startsWith(source) ? id.slice(source.length).split(path.sep) : []
  return names.length === 0 ? 'core' : folder
}

/** Gathers the source maps in one file, from which `show-error.ts` names the lines of a bug. */
const gatherMaps: Plugin = {
  name: 'gather-maps',
  generateBundle(_, bundle) {
    const maps: Record<string, unknown> = {}
    for (const [file, output] of Object.entries(bundle)) {
      if (!file.endsWith('.map') || output.type !== 'asset') continue
      maps[file.replace(/\.map$/, '')] = JSON.parse(String(output.source))
      delete bundle[file]
    }
    this.emitFile({
      type: 'asset',
      fileName: 'source-maps.json.gz',
      source: gzipSync(JSON.stringify(maps), { level: 9 }),
    })
  },
}

/** Writes the licences of the bundled packages, which ask for that. */
const gatherLicences: Plugin = {
  name: 'gather-licences',
  generateBundle() {
    const names = new Set([...this.getModuleIds()].flatMap((id) => packageOf(id) ?? []))
    const texts = [...names].toSorted().map((name) => {
      const folder = path.join('node_modules', name)
      const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry))
      if (file === undefined) throw new Error(`The bundled package ${name} has no licence`)
      return `${name}\n\n${readFileSync(path.join(folder, file), 'utf8').trim()}\n`
    })
    this.emitFile({ type: 'asset', fileName: 'LICENSES.txt', source: texts.join(`\n${'-'.repeat(80)}\n\n`) })
  },
}

/** Writes what ships: the code as chunks that lie right in `dist/`, so that `package-root.ts` finds everything else, and the types of what users import. */
export default defineConfig([
  {
    input: Object.fromEntries(entries.map((entry) => [entry, fileOf(entry)])),
    platform: 'node',
    // As chunks of folders need it.
    preserveEntrySignatures: 'allow-extension',
    logLevel: 'warn',
    tsconfig: 'tsconfig.build.json',
    // Node 20 does not know the `using` syntax.
    transform: { target: 'es2023' },
    external,
    // UMD modules load their parts in a way that no bundler sees.
    resolve: { mainFields: ['module', 'main'] },
    plugins: [findLoads, gatherMaps, gatherLicences],
    output: {
      dir: 'dist',
      cleanDir: true,
      chunkFileNames: '[name]-[hash].js',
      codeSplitting: {
        includeDependenciesRecursively: false,
        groups: [{ name: chunkOf, debugName: 'folders', minShareCount: 2 }],
      },
      // Names stay, so that a stack can be read.
      minify: { mangle: false },
      sourcemap: 'hidden',
      sourcemapExcludeSources: true,
    },
  },
  {
    input: Object.fromEntries(publicEntries.map((entry) => [entry, `build/src/${entry}.d.ts`])),
    external: [...external, /^node:/],
    logLevel: 'warn',
    plugins: [dts({ dtsInput: true, tsconfig: false })],
    output: { dir: 'dist', chunkFileNames: 'types-[name]-[hash].d.ts' },
  },
])
