import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { licenceTexts, findPackage } from './package/licences.ts'

/** The script and the style of HTML reports, by the names of their files in `fixtures/report-page`. */
export async function pageFiles(): Promise<Readonly<Record<'page.js' | 'page.css', string>>> {
  const [script, style] = await Promise.all([bundled('main.ts'), bundled('page.css')])
  return { 'page.js': script, 'page.css': style }
}

async function bundled(entry: string): Promise<string> {
  const { outputFiles, metafile } = await build({
    entryPoints: [fileURLToPath(new URL(`../../src/report/page/${entry}`, import.meta.url))],
    bundle: true,
    write: false,
    metafile: true,
    minify: true,
    format: 'iife',
    target: ['chrome109', 'firefox115', 'safari16.4'],
    charset: 'ascii',
    // Their texts come in full, below.
    legalComments: 'none',
    // An import of nothing but types vanishes.
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: false } },
    // Nothing of Node.js is there: an import of it is a mistake.
    platform: 'browser',
  })
  const text = outputFiles[0]?.text ?? ''
  const names = Object.keys(metafile.inputs).flatMap((file) => findPackage(file) ?? [])
  return names.length === 0 ? text : `/*!\n${licenceTexts(names)}*/\n${text}`
}
