import { groupBy } from '../../../src/metrics/statistics.ts'
import { describedProgram } from '../commands-page.ts'
import { listPlaces, type Place, type Word } from './places.ts'

/** Prints the script of a shell. */
type Printer = (places: readonly Place[]) => string

/** A text in single quotes, as bash and zsh read it. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** The first part of a description, which fits beside a word. */
const brief = ({ about }: Word): string => (/^.{0,60}(?=$|[ ,:;.(])/.exec(about)?.[0] ?? '').trim()

/** The names of all commands below others, as patterns: "import ycsb". */
const commandPatterns = (places: readonly Place[]): readonly string[] =>
  [...new Set(places.map(({ command }) => command))]
    .filter((name) => name !== '')
    .map((name) => quoted(padCommand(name)))

/** The command so far, which is empty at first, and the next word: " run", "import ycsb". */
const padCommand = (name: string): string => (name.includes(' ') ? name : ` ${name}`)

/** Cases for places, of which those with the same list are one: the pattern of each, and the list. */
function groupCases(
  places: readonly Place[],
  list: (place: Place) => string,
): readonly (readonly [patterns: readonly string[], list: string])[] {
  return [...groupBy(places, list)].map(([text, same]) => [
    same.map(({ command, option }) => quoted(option === null ? command : `${command} ${option}`)),
    text,
  ])
}

const afterOption = (places: readonly Place[]): readonly Place[] => places.filter(({ option }) => option !== null)
const afterCommand = (places: readonly Place[]): readonly Place[] => places.filter(({ option }) => option === null)

/** The cases of bash and zsh: by the option in front of the cursor, else by the command. */
function posixCases(places: readonly Place[], list: (place: Place) => string): string {
  const lines = (those: readonly Place[]): readonly string[] =>
    groupCases(those, list).map(([patterns, text]) => `    ${patterns.join('|')}) ${text} ;;`)
  return [
    '  case "$at $last" in',
    ...lines(afterOption(places)),
    '    *) case "$at" in',
    ...lines(afterCommand(places)),
    '    esac ;;',
    '  esac',
  ].join('\n')
}

const setFiles = ({ files }: Place): string => (files ? ' files=1' : '')

const bash: Printer = (places) => `# Completion of mongo-perf for bash: source <(mongo-perf completion bash)
_mongo_perf() {
  local cur=\${COMP_WORDS[COMP_CWORD]} last=\${COMP_WORDS[COMP_CWORD-1]} at='' list='' files='' head='' word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$at $word" in ${commandPatterns(places).join('|')}) at="\${at:+$at }$word" ;; esac
  done
${posixCases(places, (place) => `list=${quoted(place.words.map(({ text }) => text).join(' '))}${setFiles(place)}`)}
  [[ $cur == *,* ]] && head="\${cur%,*},"
  COMPREPLY=($(compgen -P "$head" -W "$list" -- "\${cur##*,}"))
  [[ -z $files ]] || while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "$cur")
}
complete -o filenames -F _mongo_perf mongo-perf
`

/** In zsh a colon ends the word. */
const zshWord = (word: Word): string =>
  quoted([word.text.replaceAll(':', '\\:'), brief(word)].filter(Boolean).join(':'))

const zsh: Printer = (places) => `#compdef mongo-perf
# Completion of mongo-perf for zsh: source <(mongo-perf completion zsh)
_mongo_perf() {
  local at='' files='' word last=$words[CURRENT-1]
  local -a list
  for word in $words[2,CURRENT-1]; do
    case "$at $word" in ${commandPatterns(places).join('|')}) at="\${at:+$at }$word" ;; esac
  done
${posixCases(places, (place) => `list=(${place.words.map(zshWord).join(' ')})${setFiles(place)}`)}
  compset -P '*,'
  (( $#list )) && _describe 'mongo-perf' list
  [[ -z $files ]] || _files
}
if [[ $funcstack[1] == _mongo_perf ]]; then _mongo_perf "$@"; else compdef _mongo_perf mongo-perf; fi
`

const fishList = ({ words, files }: Place): string => {
  const bare = words.filter((word) => brief(word) === '')
  const described = words.filter((word) => brief(word) !== '')
  const lines = [
    ...(bare.length === 0 ? [] : [`printf "$head%s\\n" ${bare.map(({ text }) => text).join(' ')}`]),
    ...(described.length === 0
      ? []
      : [`printf "$head%s\\t%s\\n" ${described.map((word) => `${word.text} ${fishQuoted(brief(word))}`).join(' ')}`]),
    ...(files ? ['__fish_complete_path (commandline -ct)'] : []),
  ]
  return lines.map((line) => `        ${line}`).join('\n')
}

const fishQuoted = (text: string): string => `'${text.replaceAll(/['\\]/g, String.raw`\$&`)}'`

const fishCases = (places: readonly Place[]): string =>
  groupCases(places, fishList)
    .map(([patterns, text]) => `      case ${patterns.join(' ')}\n${text}`)
    .join('\n')

const fish: Printer = (places) => `# Completion of mongo-perf for fish: mongo-perf completion fish | source
function __mongo_perf_words
  set -l tokens (commandline -opc)
  set -l head (string match -r '.*,' -- (commandline -ct))
  set -l at ''
  for word in $tokens[2..]
    switch "$at $word"
      case ${commandPatterns(places).join(' ')}
        set at (string trim "$at $word")
    end
  end
  switch "$at $tokens[-1]"
${fishCases(afterOption(places))}
    case '*'
      switch "$at"
${fishCases(afterCommand(places))}
      end
  end
end
complete -c mongo-perf -f -a '(__mongo_perf_words)'
`

const note = '# Generated by `npm run docs` from the commands of the program. Do not edit.'

/** The completion scripts of `fixtures/completion/`, by the names of their files. */
export async function completionScripts(): Promise<Readonly<Record<string, string>>> {
  const places = await listPlaces(describedProgram())
  const scripts = Object.entries({ bash, zsh, fish }).map(
    ([shell, print]) => [`mongo-perf.${shell}`, print(places)] as const,
  )
  return Object.fromEntries(scripts.map(([file, text]) => [file, text.replace('\n', `\n${note}\n`)]))
}
