import { isObject, type Json, partAt, listParts, type Path } from '../../core/json.ts'
import { type Finding } from '../../language/issues.ts'

/** Units in names of parameters. A figure with one is only meant if something else in its sentence is, too. */
const units: ReadonlySet<string> = new Set(['kb', 'mb', 'gb', 'ms', 'second', 'minute', 'percent'])
/** Words in names of parameters that name nothing. */
const empty: ReadonlySet<string> = new Set(['per', 'of', 'by', 'in', 'to', 'from', 'at'])

/**
 * Finds figures in the description of a spec that are the value of one of its parameters: "documents of 4 KB" is wrong as soon
 * as `documentKB` is set. Both have to mean the same, by a word of the name next to the figure.
 * @param root The spec as it is written, before values are filled in.
 */
export function findWrittenValues(root: Json): readonly Finding[] {
  if (!isObject(root) || !isObject(root['parameters'])) return []
  const parameters = Object.entries(root['parameters']).filter(([, value]) => typeof value === 'number')
  const texts = [['description'], ['report', 'description']].flatMap((path) =>
    listTexts(partAt(root, path) ?? null, path),
  )
  return texts.flatMap(({ text, path }) => {
    const name = text
      .split(/(?<=[.!?])\s/)
      .flatMap((sentence) =>
        parameters.flatMap(([one, value]) => (names(sentence, one, Number(value)) ? [one] : [])),
      )[0]
    return name === undefined
      ? []
      : [
          {
            path,
            reason: `the text has the value of the parameter "${name}" as a figure, which stays when it is set: ${instead(name)}`,
          },
        ]
  })
}

const instead = (name: string): string => `write {"@concat": ["…", {"@param": "${name}"}, "…"]}`

type Text = { readonly text: string; readonly path: Path }

const listTexts = (node: Json, path: Path): readonly Text[] =>
  typeof node === 'string'
    ? [{ text: node, path }]
    : listParts(node).flatMap(([step, part]) => listTexts(part, [...path, step]))

/** Whether a sentence has the value of a parameter next to a word of its name. */
function names(sentence: string, name: string, value: number): boolean {
  const words = wordsIn(name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')).filter((word) => !empty.has(word))
  const said = new Set(wordsIn(sentence.replaceAll(/`[^`]*`/g, '')))
  return [...sentence.matchAll(/(?:(?<=\b(\w+) of )|)(?<![\w.,$])(\d+(?:\.\d+)?)(?![\w.,]*\d)(?:(?= (\w+))|)/g)].some(
    ([, before = '', figure, after = '']) =>
      Number(figure) === value &&
      // "1000 of 20000 documents" counts what was found.
      !/^\d+$/.test(before) &&
      [before, after]
        .flatMap(wordsIn)
        .some((word) => words.includes(word) && (!units.has(word) || words.every((other) => said.has(other)))),
  )
}

/** Words in lower case, without the "s" of a plural. */
const wordsIn = (text: string): readonly string[] =>
  (text.match(/[A-Za-z]+/g) ?? []).map((word) =>
    word.length > 2 ? word.toLowerCase().replace(/s$/, '') : word.toLowerCase(),
  )
