import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { shippedPath } from '../../core/package-root.ts'
import { type Content, markup, type Markup, trusted } from './markup.ts'

export type Page = {
  /** Plain text, for the tab of the browser. */
  readonly title: string
  readonly header: Markup
  /** Links to parts of the page: id and text. */
  readonly links: readonly { readonly id: string; readonly text: string }[]
  readonly main: Content
  /** "live": the script listens to the server of the run, which the page may then connect to. */
  readonly mode: 'file' | 'live'
}

/** One self-contained HTML document: it asks for nothing, and runs no script but its own. */
export function pageHtml({ title, header, links, main, mode }: Page): string {
  const [style, script] = [shipped('page.css'), shipped('page.js')]
  const rules = [
    "default-src 'none'",
    `script-src ${computeCspHash(script)}`,
    `style-src ${computeCspHash(style)}`,
    'img-src data:',
    ...(mode === 'live' ? ["connect-src 'self'"] : []),
    "base-uri 'none'",
    "form-action 'none'",
  ]
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${trusted(rules.join('; '))}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${trusted(style)}</style>
</head>
<body data-mode="${mode}">
<a class="skip" href="#main">Skip to the report</a>
<header class="page"><div>${header}</div><div class="tools" data-tools=""></div></header>
${links.length === 0 ? null : markup`<nav class="contents" aria-label="Contents"><ul>${links.map(({ id, text }) => markup`<li><a href="#${id}">${text}</a></li>`)}</ul></nav>`}
<main id="main" tabindex="-1">
${mode === 'live' ? markup`<section class="live" data-live="" aria-label="The run as it goes on"><noscript><p>Following the run needs JavaScript.</p></noscript></section>` : null}
<div data-report="">${main}</div>
</main>
<footer><p>${footers[mode]}</p></footer>
<script>${trusted(script)}</script>
</body>
</html>
`.text
}

const footers: Readonly<Record<Page['mode'], string>> = {
  file: 'Made by mongo-perf. This file is complete: it loads nothing from elsewhere.',
  live: 'Served by mongo-perf on this machine while the run goes on. The run writes report.html at its end.',
}

const shipped = (name: string): string => readFileSync(shippedPath('report-page', name), 'utf8')

const computeCspHash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
