import * as fc from 'fast-check'
import markdownIt from 'markdown-it'

/** A renderer that hides nothing: HTML and links of any kind pass, and so does what GitHub adds to CommonMark. */
export const renderer = markdownIt({ html: true }).enable(['table', 'strikethrough'])
renderer.validateLink = () => true

const marks =
  '` `` ``` | || \\ \\| * ** *** _ __ ~ ~~ ~~~ & &amp; &#60; &lt < > --> <!-- ! ( ) [ ] : # ## - + = === -- --- 1. 12) $ @x a b'.split(
    ' ',
  )
const tags = '<script> </script> <b> <br/> <? <!x <![CDATA[ <https://a.b> <a@b.c> <1@b.c> https://a.b'.split(' ')
const links = '[x](javascript:alert(1)) [x](https://a.b) ![x](y.png) [x]: [x][y] [x][] ![x] [^1] [ ] [x]'.split(' ')
const gitHub = '@octocat @org/team $a$ $$b$$ $`c`$ x@y (@z) $1 1$ $'.split(' ')
const spaces = ['\n', '\r\n', '\r', '\n\n', ' ', '    ', '\t', '\u00A0', '\n- ', '\n# ', '\n| a |\n| - |\n']
const pieces = [marks, tags, links, gitHub, spaces].flat()

/** What people may call a thing. */
export const anyText = fc
  .array(
    fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...pieces) }, fc.string({ unit: 'grapheme', maxLength: 3 })),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''))

/** The same, but never without a sign that is shown. */
export const someText = anyText.filter((text) => shown(text) !== '')

/** A text as a browser shows it: a line break is a space, several spaces are one, and what keeps a name from its `@` has no width. */
export const shown = (text: string): string =>
  text.replaceAll('\0', '\uFFFD').replaceAll('\u200B', '').replaceAll(/\s+/g, ' ').trim()
