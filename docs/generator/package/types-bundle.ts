import { readFileSync } from 'node:fs'
import { type BuildOptions, type Plugin } from 'rolldown'
import { dts } from 'rolldown-plugin-dts'
import { publicEntries } from '../../../src/core/entries.ts'
import { external } from './code-bundle.ts'

/** Takes the indentation out of the types of schemas, from which users read no more than what the compiler makes of them. */
const compactSchemas: Plugin = {
  name: 'compact-schemas',
  renderChunk: (code) =>
    code.replaceAll(/^declare const \w+: Zod(?:.*\{\n(?: .*\n)*\}.*)?/gm, (type) => type.replaceAll(/\n */g, ' ')),
}

/** Puts what a comment has the compiler ignore below the comment again, where newer compilers need it. */
const breakBehindIgnores: Plugin = {
  name: 'break-behind-ignores',
  renderChunk: (code) => code.replaceAll(/(\/\*\* @ts-ignore .*?\*\/) ?/g, '$1\n'),
}

/** The entries that have code for `require`. */
const commonJsEntries = ['testing', 'jest'] as const

/** Writes the types of what CommonJS requires: those of the ES module, each by its name. */
const writeCommonJsTypes: Plugin = {
  name: 'write-common-js-types',
  generateBundle(_, bundle) {
    for (const entry of commonJsEntries) {
      const chunk = bundle[`entries/${entry}.d.ts`]
      if (chunk?.type !== 'chunk') throw new Error(`There are no types of ${entry}`)
      this.emitFile({
        type: 'asset',
        fileName: `entries/${entry}.d.cts`,
        source: commonJsTypes(entry, chunk.exports, readValues(entry)),
      })
    }
  },
}

/** Reads the names of the values that an entry of the bundled code exports: types have the others. */
function readValues(entry: string): ReadonlySet<string> {
  const lists = readFileSync(`dist/entries/${entry}.js`, 'utf8').matchAll(/export\s*\{([^}]*)\}/g)
  return new Set([...lists].flatMap(([, list = '']) => list.split(',').map((one) => one.trim().replace(/^.* as /, ''))))
}

function commonJsTypes(entry: string, names: readonly string[], values: ReadonlySet<string>): string {
  const module = `'./${entry}.js' with { 'resolution-mode': 'import' }`
  const constants = names
    .filter((name) => values.has(name))
    .map((name) => `export declare const ${name}: typeof entry.${name};`)
  const types = names.filter((name) => !values.has(name))
  return [
    `import type * as entry from ${module};`,
    ...constants,
    // A class is a type too.
    'export type Problem = entry.Problem;',
    `export type { ${types.join(', ')} } from ${module};`,
    '',
  ].join('\n')
}

/** Writes the types of what users import, from what `tsconfig.types.json` makes of the entries. */
export const typesBundle: readonly BuildOptions[] = [
  {
    input: Object.fromEntries(publicEntries.map((entry) => [entry, `build/types/${entry}.d.ts`])),
    // What is exported names no type of histograms.
    external: [...external, /^node:/, /^hdr-histogram-js$/],
    logLevel: 'warn',
    plugins: [dts({ dtsInput: true, tsconfig: false }), compactSchemas, breakBehindIgnores, writeCommonJsTypes],
    output: {
      dir: 'dist-types',
      cleanDir: true,
      chunkFileNames: '[name]-[hash].d.ts',
      // Most entries share most of them.
      codeSplitting: { groups: [{ name: 'types', minShareCount: 2 }] },
    },
  },
]
